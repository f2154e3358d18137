// A scripted model that does as it is told by the system message: it counts the weeks that the delivery names, inside of
// the fence, and heeds nothing else that stands there.

export default ([, { content }]) => {
  const { question, delivery } = JSON.parse(content);
  const lines = delivery.content.split('\n').slice(1, -1);
  const weeks = lines.filter((line) => /^Week \d+: \d+ vessels$/.test(line)).length;
  const verdict = weeks >= 4 ? 'worker' : weeks >= 2 ? 'split' : 'poster';
  return JSON.stringify({
    question,
    verdict,
    ...(verdict === 'split' ? { worker_share_bp: 4000 } : {}),
    reason: `${weeks} of 4 weeks are counted`,
    confidence_bp: 9500,
  });
};
