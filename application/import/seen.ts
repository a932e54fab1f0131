// A dry run stores nothing, so it keeps the values of earlier batches in memory. A map of texts would need hundreds of bytes for each.

/** Slots of an empty table. A slot has twelve bytes, and at most half of the slots are used. */
const initial = 1 << 16

/** Two 32-bit hashes of a text (FNV-1a, and the multiplier of MurmurHash3): two texts have the same pair with a probability of 2^-64. */
export const hashOf = (text: string): readonly [number, number] => {
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

  /** The slot of the value; if there is none, the free slot for it. */
  const slotOf = (one: number, other: number): number => {
    let slot = one & (capacity - 1)
    while (slots[3 * slot + 2] !== 0 && (slots[3 * slot] !== one || slots[3 * slot + 1] !== other)) slot = (slot + 1) & (capacity - 1)
    return 3 * slot
  }

  const write = (one: number, other: number, number: number) => slots.set([one, other, number], slotOf(one, other))

  const grow = () => {
    const former = slots
    capacity *= 2
    slots = new Uint32Array(3 * capacity)
    for (let at = 0; at < former.length; at += 3) if (former[at + 2] !== 0) write(former[at]!, former[at + 1]!, former[at + 2]!)
  }

  return {
    get: (text: string): number | undefined => slots[slotOf(...hashOf(text)) + 2] || undefined,
    set: (text: string, number: number): void => {
      if (2 * (count + 1) > capacity) grow()
      const [one, other] = hashOf(text)
      if (slots[slotOf(one, other) + 2] === 0) count += 1
      write(one, other, number)
    },
  }
}
export type Seen = ReturnType<typeof makeSeen>
