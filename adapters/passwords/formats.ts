import { Layer, Option, Redacted } from "effect"
import { HashFormats } from "../../domain/ports/hash-formats.ts"
import * as argon2 from "./argon2.ts"
import * as bcrypt from "./bcrypt.ts"
import * as django from "./django.ts"
import * as firebaseScrypt from "./firebase-scrypt.ts"
import * as pbkdf2 from "./pbkdf2.ts"
import * as peppered from "./peppered.ts"
import * as scrypt from "./scrypt.ts"
import type { Settings } from "./settings.ts"
import type { Cost, StoredHash } from "./stored-hash.ts"

/** Keys of other systems, without which some of their hashes cannot be verified. */
export interface Keys {
  readonly firebaseSigner?: Buffer
  readonly devisePepper?: string
}

/** The keys in the configuration. */
export const keysOf = ({ imported: { firebase, devise } }: Pick<Settings, "imported">): Keys => ({
  ...(firebase === undefined ? {} : { firebaseSigner: Buffer.from(Redacted.value(firebase.signer_key), "base64") }),
  ...(devise === undefined ? {} : { devisePepper: Redacted.value(devise.pepper) }),
})

type Reader = (text: string, cost: Cost, keys: Keys) => StoredHash | undefined

const readers: Readonly<Record<string, Reader>> = {
  argon2: argon2.read,
  bcrypt: bcrypt.read,
  scrypt: scrypt.read,
  pbkdf2: pbkdf2.read,
  django: django.read,
  firebase_scrypt: (text, _, keys) => firebaseScrypt.read(text, keys.firebaseSigner),
  devise: (text, _, keys) => peppered.read(text, keys.devisePepper),
}

/** The result of the first reader that supports the hash, with the name of its format; undefined if none does. */
export const read = (text: string, cost: Cost, keys: Keys = {}) => {
  for (const [format, reader] of Object.entries(readers)) {
    const stored = reader(text, cost, keys)
    if (stored !== undefined) return { format, stored }
  }
  return undefined
}

/** Names the formats of hashes that sign-in can verify under these settings. */
export const layer = (settings: Settings) => {
  const keys = keysOf(settings)
  return Layer.succeed(HashFormats, { formatOf: (hash) => Option.fromUndefinedOr(read(hash, settings.hash, keys)?.format) })
}
