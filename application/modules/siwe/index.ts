import { DateTime, Effect, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import { ExpiredMessage, InvalidMessage, InvalidNonce, notAdmitted } from "../../../domain/errors.ts"
import { Ethereum } from "../../../domain/ports/ethereum.ts"
import { orFail, retryOnConflict, Store } from "../../../domain/ports/store.ts"
import { phrase } from "../../../domain/ports/texts.ts"
import { about, orElse, Positive, Seconds, Settings } from "../../../domain/settings.ts"
import { signInByAccount } from "../../../domain/sign-in/linked-accounts.ts"
import * as Siwe from "../../../domain/sign-in/siwe.ts"
import { hashTable, singleUseToken } from "../../../domain/tokens/single-use-token.ts"
import { User } from "../../../domain/users/user.ts"
import * as Endpoint from "../../service/endpoint.ts"
import * as Module from "../../service/module.ts"
import * as Errors from "./errors.ts"

/** Nonces that were issued and not yet used. */
export const SiweNonces = hashTable("siwe_nonce")

/** A nonce of hexadecimal digits: EIP-4361 allows only letters and digits. */
const hexNonce = Effect.gen(function* () {
  const { randomBytes } = yield* SecureRandom.SecureRandom
  return Hex.encode(yield* randomBytes(16))
})

const nonces = singleUseToken(SiweNonces, { kind: "siwe-nonce", secret: hexNonce })

/** `provider_id` of the account that links a wallet to a user; its `account_id` is the wallet's address. */
export const provider_id = "siwe"

/** The domain of synthetic email addresses for users who signed up with a wallet only. */
export const domain = "siwe.local"

const SiweSettings = Schema.Struct({
  domain: Schema.optionalKey(
    Schema.String.check(Schema.makeFilter(Siwe.isDomain, { expected: "a host with an optional port, such as app.example.com" })),
  ).pipe(
    about("The `domain` of accepted messages: the host of the page that requests them, with its port. Default: the host of `public_url`."),
  ),
  chain_id: Positive.pipe(orElse(1, "The chain of accepted messages (EIP-155).")),
  nonce_ttl: Seconds.pipe(orElse(600, "Lifetime of a nonce in seconds.")),
})
type SiweSettings = typeof SiweSettings.Type

const nonce = ({ chain_id, nonce_ttl }: SiweSettings) =>
  Endpoint.make({
    method: "GET",
    path: "/siwe/nonce",
    summary: "Issues a nonce for a sign-in message.",
    access: "public",
    output: Schema.Struct({ nonce: Schema.String, chain_id: Schema.Int }),
    handler: Effect.fnUntraced(function* siweNonce() {
      const { token, write } = yield* nonces.issue({}, nonce_ttl)
      yield* Effect.orDie((yield* Store).commit([write]))
      return Endpoint.reply({ nonce: token, chain_id })
    }),
  })

/** A signature that is missing or not a string fails with `invalid_signature`, a missing message with `invalid_message`. */
const Signature = Schema.String.pipe(
  Schema.catchDecoding(() => Effect.succeedSome("")),
  orElse(""),
)

/**
 * The endpoint that signs in with a wallet. Failures are not counted for the address: signatures cannot be guessed, and addresses are
 * public, so with a budget an attacker could lock the owner out.
 */
const verify = (settings: SiweSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/siwe/verify",
    summary: "Signs in with a message signed by a wallet (EIP-4361), and signs up new users.",
    access: "public",
    signsIn: "single_factor",
    methods: ["pop"],
    input: Schema.Struct({ message: Schema.String, signature: Signature }),
    output: Schema.Struct({ user: User, address: Schema.String }),
    errors: [Errors.InvalidSignature, InvalidNonce, ExpiredMessage, ...notAdmitted],
    invalid: InvalidMessage,
    handler: Effect.fnUntraced(function* siweVerify(input) {
      const { checksummed, signer } = yield* Ethereum
      const parsed = Siwe.parse(input.message)
      if (Option.isNone(parsed)) return yield* new InvalidMessage()

      const message = parsed.value
      if ((yield* checksummed(message.address)) !== message.address) return yield* new InvalidMessage()
      // Consumed even if the message is refused below: a refused message cannot be tried again.
      const pending = yield* nonces.take(message.nonce)
      if (!Option.contains(yield* signer(input.message, input.signature), message.address)) return yield* new Errors.InvalidSignature()
      if (Option.isNone(pending)) return yield* new InvalidNonce()
      const host = new URL((yield* Settings).public_url).host
      const refusal = Siwe.refusal(message, { domain: host, ...settings }, yield* DateTime.now)
      if (Option.isSome(refusal)) return yield* refusal.value

      const proven = { provider_id, account_id: message.address, domain }
      const newcomer = { name: null, disable_signup: false }
      // This endpoint declares no code for an unverified address.
      const issued = yield* orFail(retryOnConflict(signInByAccount(proven, [], newcomer)), () => new Errors.InvalidSignature())
      return Endpoint.reply({ user: issued.user, address: message.address }, issued)
    }),
  })

/** Sign-in by the signature of an Ethereum wallet (EIP-4361). */
export const siwe = Module.define({
  name: "siwe",
  errors: Object.values(Errors),
  texts: async (tag) => (await import(`./texts/${tag}.json`, { with: { type: "json" } })).default,
  settings: SiweSettings,
  parts: (settings) => ({
    tables: [SiweNonces],
    endpoints: [nonce(settings), verify(settings)],
    accountKinds: [{ provider_id, label: phrase("mail.credential.wallet"), isFactor: false }],
  }),
})
