// A dry run stores nothing, so it has to remember which values it has seen. A map of texts would need hundreds of bytes for each value.

/** Bytes of a value: twelve, in a table that is at most half full. */
const initial = 1 << 16

/** Two independent 32-bit hashes of a text (FNV-1a, and the multiplier of MurmurHash3): a pair collides once in 2^64. */
const hashOf = (text: string): readonly [number, number] => {
  let [one, other] = [0x811c9dc5, 0x9747b28c]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    one = Math.imul(one ^ unit, 0x01000193)
    other = Math.imul(other ^ unit, 0xcc9e2d51)
    other = (other << 15) | (other >>> 17)
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b)
  other = Math.imul(other ^ (other >>> 13), 0xc2b2ae35)
  return [(one ^ (one >>> 13)) >>> 0, (other ^ (other >>> 16)) >>> 0]
}

/** A map from texts to numbers greater than zero that keeps hashes instead of texts. */
export const makeSeen = () => {
  let capacity = initial
  let slots = new Uint32Array(3 * capacity)
  let count = 0

  /** Where the value is, or belongs. */
  const slotOf = (one: number, other: number): number => {
    let slot = one & (capacity - 1)
    while (slots[3 * slot + 2] !== 0 && (slots[3 * slot] !== one || slots[3 * slot + 1] !== other)) slot = (slot + 1) & (capacity - 1)
    return 3 * slot
  }

  const write = (one: number, other: number, line: number) => slots.set([one, other, line], slotOf(one, other))

  const grow = () => {
    const former = slots
    capacity *= 2
    slots = new Uint32Array(3 * capacity)
    for (let at = 0; at < former.length; at += 3) if (former[at + 2] !== 0) write(former[at]!, former[at + 1]!, former[at + 2]!)
  }

  return {
    get: (text: string): number | undefined => slots[slotOf(...hashOf(text)) + 2] || undefined,
    add: (text: string, line: number): void => {
      if (2 * (count + 1) > capacity) grow()
      write(...hashOf(text), line)
      count += 1
    },
  }
}
export type Seen = ReturnType<typeof makeSeen>
