import { type BinaryLike, createCipheriv, type ScryptOptions, scrypt } from "node:crypto"
import { promisify } from "node:util"
import { decode, isAffordable, isKey, type StoredHash, sameKey } from "./stored-hash.ts"

const derive = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scrypt)

const shape =
  /^\$fbscrypt\$v=1,n=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})(?:,ss=([A-Za-z0-9+/=]{1,88}))?(?:,sk=([A-Za-z0-9+/=]{1,344}))?\$([^$]+)\$([^$]+)$/

const noBytes = Buffer.alloc(0)

/** Encrypts the project's signer key with the key derived from the password. */
const sign = (key: Buffer, signerKey: Buffer): Buffer => {
  const cipher = createCipheriv("aes-256-ctr", key, Buffer.alloc(16))
  return Buffer.concat([cipher.update(signerKey), cipher.final()])
}

/**
 * `$fbscrypt$v=1,n=…,r=…,p=…,ss=…,sk=…$salt$hash`, the spelling of Supabase for hashes of Firebase. Hashes without `sk` are verified with the
 * configured signer key of the project.
 */
export const read = (hash: string, configured: Buffer | undefined): StoredHash | undefined => {
  const [, n, r, p, separator, signer, encodedSalt, encodedKey] = shape.exec(hash) ?? []
  if (encodedSalt === undefined || encodedKey === undefined) return undefined
  const [salt, key] = [decode(encodedSalt), decode(encodedKey)]
  const signerKey = signer === undefined ? configured : decode(signer)
  const saltSeparator = separator === undefined ? noBytes : decode(separator)
  if (salt === undefined || key === undefined || signerKey === undefined || saltSeparator === undefined) return undefined
  if (!isKey(key) || key.length !== signerKey.length) return undefined
  const parameters = { N: 2 ** Number(n), r: Number(r), p: Number(p) }
  // RFC 7914 §2 requires 1 < N < 2^(16r), and p at least 1.
  if (parameters.N < 2 || Number(n) >= 16 * parameters.r || parameters.p < 1) return undefined
  if (!isAffordable((parameters.N * parameters.r) / 8, parameters.p)) return undefined
  const options = { ...parameters, maxmem: 128 * parameters.r * (parameters.N + parameters.p + 2) * 2 }
  const signed = async (password: string) => sign(await derive(password, Buffer.concat([salt, saltSeparator]), 32, options), signerKey)
  return { matches: (password) => sameKey(key, signed(password)), outdated: true }
}
