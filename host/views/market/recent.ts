// The newest answers by their question, as many as are worth their memory.

/** Puts an answer in as the latest of at most `most`; the one that was asked for longest ago goes. */
export function remember<Answer>(
  answers: Map<string, Answer>,
  question: string,
  answer: Answer,
  most: number,
): void {
  answers.delete(question);
  if (answers.size >= most) answers.delete(answers.keys().next().value!);
  answers.set(question, answer);
}
