/** Not a generator: `return` of a generator waits until its pending `next` is settled. */
export const iterable = <A>(iterator: AsyncIterator<A, undefined>): AsyncIterable<A> => ({ [Symbol.asyncIterator]: () => iterator })
