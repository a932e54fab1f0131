import { createCipheriv } from "node:crypto"
import { deriveKey, isAllowed } from "./scrypt.ts"
import { decode, isKey, type StoredHash, sameKey } from "./stored-hash.ts"

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
  if (!isAllowed(parameters)) return undefined
  const salted = Buffer.concat([salt, saltSeparator])
  const signed = async (password: string) => sign(await deriveKey(password, salted, 32, parameters), signerKey)
  return { matches: (password) => sameKey(key, signed(password)), outdated: true }
}
