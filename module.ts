// The API for your own modules: `import { Endpoint, Module } from "sallyport/module"`.

export * as Endpoint from "./application/service/endpoint.ts"
export * as GraphField from "./application/service/graph-field.ts"
export { fresh, steppedUp } from "./application/service/guards.ts"
export * as Module from "./application/service/module.ts"
export * as Paging from "./application/service/paging.ts"
export { hasAdministratorRights } from "./domain/administration/administrators.ts"
export * as Errors from "./domain/errors.ts"
export type { EventKind } from "./domain/events/event-types.ts"
export { rowEvents } from "./domain/events/row-events.ts"
export type { Happening } from "./domain/events/security-event.ts"
export { isKnownBrowser } from "./domain/limits/known-device.ts"
export { countByNetwork, countedCode, countedPassword, countedProof } from "./domain/limits/limits.ts"
export { countMessage } from "./domain/limits/messages.ts"
export type { Message } from "./domain/mail/message.ts"
export { notices } from "./domain/mail/notices.ts"
export { mail } from "./domain/mail/writing.ts"
export {
  type ClaimsRequest,
  type OpenedSession,
  type Operation,
  type Outcome,
  Policies,
  type ProvedSignIn,
  type Reclaim,
  type SessionAdditions,
} from "./domain/policies.ts"
export { PasswordHasher } from "./domain/ports/password-hasher.ts"
export type { Versioned, Write } from "./domain/ports/store.ts"
export {
  Conflict,
  check,
  conflictIfTaken,
  find,
  insert,
  put,
  remove,
  removeAll,
  removeVersioned,
  retryOnConflict,
  Store,
  Taken,
  update,
} from "./domain/ports/store.ts"
export * as Table from "./domain/ports/table.ts"
export { phrase } from "./domain/ports/texts.ts"
export { Caller, CurrentSession } from "./domain/sessions/caller.ts"
export { requireFresh, rereadSession } from "./domain/sessions/sessions.ts"
export * as SignedCookie from "./domain/sessions/signed-cookie.ts"
export { noteName, noteUser } from "./domain/sessions/subject.ts"
export { Sessions } from "./domain/sessions/tables.ts"
export { about, between, orElse, Positive, Seconds, Settings } from "./domain/settings.ts"
export { type AccountName, linkAccount } from "./domain/sign-in/account-links.ts"
export * as Challenges from "./domain/sign-in/challenges.ts"
export { secondFactorRemovals } from "./domain/sign-in/credentials.ts"
export { answerChallenge, issueToNewAccount, issueWith, resume, resumeWith } from "./domain/sign-in/issuing.ts"
export { type Newcomer, signInByAccount, signInUser } from "./domain/sign-in/linked-accounts.ts"
export { passwordWrites } from "./domain/sign-in/password-change.ts"
export { checkNewPassword, checkPassword, checkPasswordRules, credentialOf } from "./domain/sign-in/passwords.ts"
export * as StepUp from "./domain/sign-in/step-up.ts"
export { signInByVerifiedEmail } from "./domain/sign-in/verified-email.ts"
export { liveAt, readLive, takeLive } from "./domain/storage/live.ts"
export { newId } from "./domain/storage/new-id.ts"
export { randomToken, tokenHash } from "./domain/tokens/keys.ts"
export type { ModuleKeys } from "./domain/tokens/module-keys.ts"
export { singleUseToken } from "./domain/tokens/single-use-token.ts"
export { isAdmitted } from "./domain/users/admission.ts"
export { byEmail, type SignInName } from "./domain/users/sign-in-name.ts"
export { Accounts, Users } from "./domain/users/tables.ts"
export { User } from "./domain/users/user.ts"
