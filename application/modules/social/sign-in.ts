import { Effect, Option } from "effect"
import { InvalidRequest } from "../../../domain/errors.ts"
import { Policies } from "../../../domain/policies.ts"
import { retryOnConflict, Store, type Versioned } from "../../../domain/ports/store.ts"
import type { AccountName } from "../../../domain/sign-in/account-links.ts"
import { issue } from "../../../domain/sign-in/issuing.ts"
import { signUpByAccount } from "../../../domain/sign-in/linked-accounts.ts"
import { KnownStart } from "../../../domain/sign-in/sign-in-start.ts"
import { awaitsVerification } from "../../../domain/sign-in/verification.ts"
import { signInByVerifiedEmail } from "../../../domain/sign-in/verified-email.ts"
import { Accounts } from "../../../domain/users/tables.ts"
import type { StoredUser } from "../../../domain/users/user.ts"
import { type Profile, trustedEmail } from "./profile.ts"
import type { Provider } from "./provider-settings.ts"

/** Signs in the user of a provider's account, and signs up a new user if there is none. */
export const signIn = (account: AccountName, profile: Profile, trust: Provider["trust_email"]) =>
  Effect.provideService(retryOnConflict(signInOrUp(account, profile, trust)), KnownStart, { provider_id: account.provider_id })

/** A linked account signs in its user, for every profile. The address is used only if the account is not linked. */
const signInOrUp = Effect.fnUntraced(function* signInByProvider(account: AccountName, profile: Profile, trust: Provider["trust_email"]) {
  const { provider_id, account_id } = account
  const { name } = profile
  const found = yield* (yield* Store).readWithReferenced(Accounts, { provider_id, account_id }, "user_id")
  if (Option.isSome(found)) return yield* signInAgain(found.value[1])
  const email = yield* provenEmail(profile, trust)
  if (email === null) return yield* signUpByAccount(account, (local) => `${provider_id}:${local}`, { name }, [])
  const newcomer = { name, disable_signup: false, account }
  return Option.getOrThrow(yield* signInByVerifiedEmail(email, [], newcomer))
})

/**
 * The address if the provider proves it. For an address that gives its user rights, the profile must say that it is verified: a provider
 * that is trusted without this claim may not have verified the address.
 */
export const provenEmail = Effect.fnUntraced(function* provenEmail(profile: Profile, trust: Provider["trust_email"]) {
  const needsClaim = profile.email !== null && trust === "always" && (yield* Policies).isConfirmedAddress(profile.email)
  return trustedEmail(profile, needsClaim ? "when_verified" : trust)
})

/** Signs in a user whose account is linked. This endpoint declares no code for an unverified address. */
const signInAgain = Effect.fnUntraced(function* signInAgain(user: Versioned<StoredUser>) {
  if (yield* awaitsVerification(user.row))
    return yield* new InvalidRequest({ message: "The email address must be verified before the first sign-in." })
  return yield* issue(user)
})
