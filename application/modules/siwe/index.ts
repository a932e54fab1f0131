import { DateTime, Effect, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import { ExpiredMessage, InvalidMessage, InvalidNonce, InvalidSignature } from "../../../domain/errors.ts"
import { Ethereum } from "../../../domain/ports/ethereum.ts"
import { insert, retryOnConflict, Store } from "../../../domain/ports/store.ts"
import { orElse, Positive, Seconds, Settings } from "../../../domain/settings.ts"
import { signInByAccount } from "../../../domain/sign-in/linked-accounts.ts"
import * as Siwe from "../../../domain/sign-in/siwe.ts"
import * as Table from "../../../domain/storage/table.ts"
import { tokenHash } from "../../../domain/tokens/keys.ts"
import { User } from "../../../domain/users/user.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { NoInput } from "../../service/endpoint.ts"
import * as Module from "../../service/module.ts"

const kind = "siwe-nonce"

/** Nonces that were handed out and not yet presented. */
export const SiweNonces = Table.make("siwe_nonce", Schema.Struct({ hash: Schema.String, expires_at: Schema.DateTimeUtc }), {
  key: "hash",
  expires: "expires_at",
})

/** `provider_id` of the account that says whose a wallet is; its `account_id` is the address. */
const provider_id = "siwe"

/** The domain of the addresses of users who came with nothing but a wallet. */
const domain = "siwe.local"

const SiweSettings = Schema.Struct({
  /** Whom messages have to be for: the host of the page that asks for them, with its port; that of `public_url` when left out. */
  domain: Schema.optionalKey(
    Schema.String.check(Schema.makeFilter(Siwe.isDomain, { expected: "a host, with its port where it has one: app.example.com" })),
  ),
  /** The chain that messages have to name (EIP-155). */
  chain_id: Positive.pipe(orElse(1)),
  /** Lifetime of a nonce, seconds. */
  nonce_ttl: Seconds.pipe(orElse(600)),
})
type SiweSettings = typeof SiweSettings.Type

const nonce = ({ chain_id, nonce_ttl }: SiweSettings) =>
  Endpoint.make({
    method: "GET",
    path: "/siwe/nonce",
    summary: "Makes a nonce for a message to sign in with.",
    access: "public",
    input: NoInput,
    output: Schema.Struct({ nonce: Schema.String, chain_id: Schema.Int }),
    errors: [],
    handler: Effect.fn("siwe.nonce")(function* () {
      const { randomBytes } = yield* SecureRandom.SecureRandom
      const nonce = Hex.encode(yield* randomBytes(16))
      const hash = yield* tokenHash(kind, nonce)
      const expires_at = DateTime.add(yield* DateTime.now, { seconds: nonce_ttl })
      yield* Effect.orDie((yield* Store).commit([insert(SiweNonces, { hash, expires_at })]))
      return Endpoint.reply({ nonce, chain_id })
    }),
  })

/** A signature that is missing or no text is a wrong one, whereas a message that is not there is `invalid_message`. */
const Signature = Schema.String.pipe(
  Schema.catchDecoding(() => Effect.succeedSome("")),
  orElse(""),
)

/**
 * Failures count against no budget of the address: there is nothing to guess, and whoever knows an address, which is everybody,
 * could keep its wallet out.
 */
const verify = (settings: SiweSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/siwe/verify",
    summary: "Signs in with a message that a wallet has signed (EIP-4361); whoever is new is signed up.",
    access: "public",
    signsIn: "single_factor",
    input: Schema.Struct({ message: Schema.String, signature: Signature }),
    output: Schema.Struct({ user: User, address: Schema.String }),
    errors: [InvalidMessage, InvalidSignature, InvalidNonce, ExpiredMessage],
    invalid: InvalidMessage,
    handler: Effect.fn("siwe.verify")(function* (input) {
      const { checksummed, signer } = yield* Ethereum
      const parsed = Siwe.parse(input.message, checksummed)
      if (Option.isNone(parsed)) return yield* new InvalidMessage()

      const message = parsed.value
      const isPending = yield* present(message.nonce)
      if (!Option.contains(signer(input.message, input.signature), message.address)) return yield* new InvalidSignature()
      if (!isPending) return yield* new InvalidNonce()
      const host = new URL((yield* Settings).public_url).host
      const refusal = Siwe.refusal(message, { domain: host, ...settings }, yield* DateTime.now)
      if (Option.isSome(refusal)) return yield* refusal.value

      const proven = { provider_id, account_id: message.address, domain }
      const newcomer = { name: null, disable_signup: false }
      const entered = yield* retryOnConflict(signInByAccount(proven, [], newcomer))
      // This endpoint has no code for an address that still waits for its proof.
      if (Option.isNone(entered)) return yield* new InvalidSignature()
      const issued = entered.value
      return Endpoint.reply({ user: issued.user, address: message.address }, issued)
    }),
  })

/** Whether a nonce is one of ours, once: it is gone whatever becomes of the message, and of many who present it at once one does. */
const present = Effect.fnUntraced(function* present(nonce: string) {
  const pending = yield* (yield* Store).take(SiweNonces, { hash: yield* tokenHash(kind, nonce) })
  const now = yield* DateTime.now
  return Option.exists(pending, ({ expires_at }) => DateTime.isLessThan(now, expires_at))
})

/** Sign-in by the signature of an Ethereum wallet (EIP-4361). */
export const siwe = Module.define({
  name: "siwe",
  settings: SiweSettings,
  parts: (settings) => ({
    tables: [SiweNonces],
    endpoints: { siweNonce: nonce(settings), siweVerify: verify(settings) },
    accountKinds: [{ provider_id, label: "Ethereum wallet", isFactor: false }],
  }),
})
