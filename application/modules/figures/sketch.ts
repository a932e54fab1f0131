// HyperLogLog (Flajolet and others, 2007) with the estimator of Ertl (2017): it counts distinct hashes within 0.81 % (standard error) for
// all sizes, in a text of constant length. Merging twice changes nothing.

const bits = 14
const size = 2 ** bits
/** The bits of a hash after those that choose the register. */
const rest = 64 - bits
/** The character of the value 0. The values up to 51 are printable. */
const zero = 48

/** The largest number of leading zeros, plus one, of the hashes of each register. */
export type Sketch = Uint8Array

export const emptySketch = (): Sketch => new Uint8Array(size)

/** Adds a hash, as two unsigned integers of 32 bits. */
export const add = (sketch: Sketch, high: number, low: number) => {
  const register = high >>> (32 - bits)
  const upper = (high << bits) >>> 0
  const rank = upper === 0 ? 32 - bits + Math.clz32(low) + 1 : Math.clz32(upper) + 1
  if (rank > (sketch[register] ?? 0)) sketch[register] = rank
}

/** Adds all hashes of another sketch. */
export const merge = (sketch: Sketch, other: Sketch) => {
  for (const [register, rank] of other.entries()) if (rank > (sketch[register] ?? 0)) sketch[register] = rank
}

/** A sketch as stored: a character per register. */
export const written = (sketch: Sketch) => String.fromCharCode(...sketch.map((rank) => rank + zero))

export const read = (registers: string): Sketch => {
  const sketch = emptySketch()
  for (let register = 0; register < size; register++) sketch[register] = Math.max(0, registers.charCodeAt(register) - zero)
  return sketch
}

/** About how many distinct hashes were added. */
export const estimate = (sketch: Sketch): number => {
  const ranks = new Array<number>(rest + 2).fill(0)
  for (const rank of sketch) ranks[rank] = (ranks[rank] ?? 0) + 1
  let z = size * tau(1 - (ranks[rest + 1] ?? 0) / size)
  for (let rank = rest; rank >= 1; rank--) z = 0.5 * (z + (ranks[rank] ?? 0))
  z += size * sigma((ranks[0] ?? 0) / size)
  return Math.round(size ** 2 / (2 * Math.LN2 * z))
}

const sigma = (start: number) => {
  if (start === 1) return Number.POSITIVE_INFINITY
  let [x, y, z, before] = [start, 1, start, -1]
  while (z !== before) {
    x *= x
    before = z
    z += x * y
    y += y
  }
  return z
}

const tau = (start: number) => {
  if (start === 0 || start === 1) return 0
  let [x, y, z, before] = [start, 1, 1 - start, -1]
  while (z !== before) {
    x = Math.sqrt(x)
    before = z
    y *= 0.5
    z -= (1 - x) ** 2 * y
  }
  return z / 3
}
