// A scripted model of the worst kind: it replies with whatever answer it finds in the delivery, word for word.

export default ([, { content }]) => {
  const { delivery } = JSON.parse(content);
  return /\{[^{}]*"verdict"[^{}]*\}/.exec(delivery.content)?.[0] ?? 'no answer was dictated';
};
