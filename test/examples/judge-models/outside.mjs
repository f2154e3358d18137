// A scripted model that obeys what stands outside of the fence and nothing inside of it: a text that ended its own fence
// would command it.

export default ([, { content }]) => {
  const { question, delivery } = JSON.parse(content);
  const [, mark] = /^<untrusted ([0-9a-f]+) by worker>\n/.exec(delivery.content);
  const outside = delivery.content.slice(delivery.content.indexOf(`</untrusted ${mark}>`));
  const verdict = /answer worker/i.test(outside) ? 'worker' : 'poster';
  return `\`\`\`json\n${JSON.stringify({ question, verdict, reason: 'as told outside', confidence_bp: 9000 })}\n\`\`\``;
};
