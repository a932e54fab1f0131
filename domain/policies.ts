import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { AuthError, CommonCode, GateCode, RemovalCode } from "./errors.ts"
import type { Write } from "./ports/store.ts"
import type { AnyTable, Table } from "./ports/table.ts"
import type { Phrase } from "./ports/texts.ts"
import type { FactorStatus, StoredSession } from "./sessions/session.ts"
import type { Authentication, AuthenticationMethod, Issued, SignsIn } from "./sessions/sign-in.ts"
import type { Cookie } from "./sessions/signed-cookie.ts"
import type { StepUp } from "./sign-in/step-up.ts"
import type { Users } from "./users/tables.ts"
import type { StoredUser, User } from "./users/user.ts"

/** The endpoint that is being called. */
export interface Operation {
  /** Its name among all endpoints, such as `signInEmail`. */
  readonly name: string
  readonly path: string
  /** The module that declares it. */
  readonly module: string
  /** How its callers authenticate to get a session; undefined if the endpoint issues none. */
  readonly signsIn: SignsIn | undefined
  /** The methods that its callers authenticate by. */
  readonly methods?: ReadonlyArray<AuthenticationMethod>
}

/** A session that is about to be committed. */
export interface OpenedSession {
  readonly session: StoredSession
  /** The user as the commit stores them. */
  readonly user: StoredUser
  /**
   * What the user has proved so far. `registration`: the commit creates the user, or returns a never-verified account to the owner of its
   * address and removes the rows of all `authenticators`. `session`: the new session replaces the caller's own. `hand_off`: it was copied
   * from another session of the user for a second browser.
   */
  readonly proof: Authentication | "hand_off"
  /** The endpoint that issues the session. */
  readonly endpoint: Operation
  readonly began: SignInStart
}

/** The first step of a sign-in. */
export interface SignInStart {
  /** The path of its endpoint. If a challenge was answered, another endpoint issues the session. */
  readonly path: string
  /** The social provider that the user came from. */
  readonly provider_id: string | null
  /** Whether the sign-in began with a registration, also after the answers to challenges. */
  readonly is_sign_up: boolean
}

/** What a module adds to a new session. */
export interface SessionAdditions {
  /** Committed with the session. */
  readonly writes: ReadonlyArray<Write>
  /** Set in the browser that gets the session. */
  readonly cookies?: ReadonlyArray<Cookie>
}

/** The outcome of one operation. It contains no password, code, token or identifier as the caller typed it. */
export interface Outcome {
  readonly endpoint: Operation
  /** `ok`, `challenged` for a sign-in that needs another step, the code of the error, `internal_error` for a defect, or `interrupted` when the caller disconnected. */
  readonly code: string
  readonly caller: {
    /** The user of the valid session that the request carried. */
    readonly user: User | null
    readonly ip_address: string | null
    readonly user_agent: string | null
  }
  /** The user of a sign-in, including a failed one. Both members are null if the operation is not about a user. */
  readonly subject: {
    readonly user_id: string | null
    /**
     * HMAC of the typed name under the newest secret: equal names have equal values, and without the secret a dictionary of addresses
     * cannot reverse it.
     */
    readonly identifier: string | null
  }
}

/** A table whose rows are removed when a never-verified account returns to the owner of its address. */
export interface Authenticator {
  readonly table: Table<any, any, any, { readonly user_id: typeof Users }, any>
  /**
   * The name of such a row in mails that list the user's credentials; absent if a row is neither a way to sign in nor a factor. A label
   * that is a string is the same in all languages.
   */
  readonly label?: Phrase | string
}

/** What a module does with its rows when a never-verified account returns to the owner of its address. */
export interface Reclaim {
  /** Committed with the reclaim. */
  readonly writes: ReadonlyArray<Write>
  /** What the account keeps, as paragraphs of the mail to its owner. They contain no text that another user typed. */
  readonly kept: ReadonlyArray<Phrase | string>
}

/** A request of a client of the identity provider for the claims of a user. */
export interface ClaimsRequest {
  readonly user: User
  readonly client_id: string
  /** The scopes that the client has been granted. */
  readonly scopes: ReadonlyArray<string>
}

/** A sign-in that would be challenged. */
export interface ProvedSignIn {
  /** What the user has proved so far. */
  readonly proof: Authentication
  /** The first step, such as `/sign-in/email` for a password. */
  readonly began: SignInStart
}

/** A challenge of one module. */
export interface ModuleChallenge {
  readonly name: string
  readonly ask: (user: User, authentication: Authentication) => Effect.Effect<Option.Option<object>, AuthError<CommonCode | GateCode>>
}

/**
 * Waives challenges of another module, for example on a device that the user trusts. An operation that ends a waiver must also write the
 * user: otherwise the old waiver could still admit a concurrent sign-in.
 */
export interface ChallengeWaiver<out R> {
  /** The name of the module whose challenges it waives. */
  readonly of: string
  /** Whether the user is admitted without this challenge. `challenge` has the members of the response that would otherwise be returned. */
  readonly waives: (user: User, challenge: object, signIn: ProvedSignIn) => Effect.Effect<boolean, never, R>
}

/** A proof that a module adds to `POST /step-up`. Like a gate, it fails with error codes that the module declares. */
interface Proof extends Omit<StepUp<never>, "prove"> {
  readonly prove: (...given: Parameters<StepUp<never>["prove"]>) => Effect.Effect<Issued, AuthError<CommonCode>>
}

/** The rules that all modules together add to the service, for one endpoint. `Auth.call` provides it. */
export class Policies extends Context.Service<
  Policies,
  {
    /** Runs the gates of all modules before a session is issued; fails with the code of the first that refuses. */
    readonly passGates: (user: User) => Effect.Effect<void, AuthError<CommonCode | GateCode>>
    /** How callers of this endpoint prove who they are. Dies in an endpoint that does not declare it. */
    readonly signsIn: Effect.Effect<SignsIn>
    readonly endpoint: Operation
    /**
     * The challenges of a sign-in, in the order of the modules. `answeredModule`: the module whose challenge was answered; only the modules after
     * it challenge.
     */
    readonly challengesFor: (authentication: Authentication, answeredModule: string | undefined) => ReadonlyArray<ModuleChallenge>
    /** Whether a module waives this challenge of the module `of`. */
    readonly isWaived: (of: string, user: User, challenge: object, signIn: ProvedSignIn) => Effect.Effect<boolean>
    /** Why the rules of modules refuse a new password, as a sentence. The user is null at a sign-up. */
    readonly passwordFault: (password: string, user: User | null) => Effect.Effect<Option.Option<string>>
    /** The writes that modules add to the commit that sets another password for a user. */
    readonly passwordChanged: (user: User) => Effect.Effect<ReadonlyArray<Write>>
    /** The writes that modules add to the commit that removes the second factor of a user: use `secondFactorRemovals`. */
    readonly secondFactorRemoved: (user: User) => Effect.Effect<ReadonlyArray<Write>>
    /** The writes that modules add to the commit that ends all sessions of a user, or all but one. */
    readonly sessionsRevoked: (user: User) => Effect.Effect<ReadonlyArray<Write>>
    /** The writes that modules add to every commit that ends sessions of a user, also a single one. */
    readonly sessionEnded: (user_id: string) => Effect.Effect<ReadonlyArray<Write>>
    /** The claims that modules add to what clients of the identity provider get about a user. */
    readonly userClaims: (requested: ClaimsRequest) => Effect.Effect<Readonly<Record<string, unknown>>>
    /** The writes that modules add to the commit that opens a session. */
    readonly sessionOpened: (opened: OpenedSession) => Effect.Effect<Required<SessionAdditions>>
    /** The writes that modules add to the commit that records a proof of identity in this session. */
    readonly identityProved: (session: StoredSession) => Effect.Effect<ReadonlyArray<Write>>
    /** Whether a module keeps the session of this credential when the same user signs in again (OWASP ASVS 5.0, 7.2.4). */
    readonly keepsSession: (credential: string) => Effect.Effect<boolean>
    /** The tables of credentials other than linked accounts, and of other rows that are removed with them. */
    readonly authenticators: ReadonlyArray<Authenticator>
    /** What mails call a linked account. */
    readonly accountLabel: (providerId: string) => Phrase | string
    /** Whether linked accounts of this provider are second factors, which a password reset of a verified account never removes. */
    readonly isFactorAccount: (providerId: string) => boolean
    /** What all modules do with their rows when a never-verified account returns to the owner of its address. */
    readonly reclaim: (user: User) => Effect.Effect<Reclaim>
    /** Whether the address gives its user rights: a user can change to such an address only by proving the mailbox. */
    readonly isConfirmedAddress: (email: string) => boolean
    readonly factorsHeldBy: (userId: string) => Effect.Effect<FactorStatus>
    /** The proofs that `POST /step-up` accepts, by the name of their input member. */
    readonly stepUps: Readonly<Record<string, Proof>>
    /** Whether administrators must have a factor. */
    readonly administratorsNeedFactor: boolean
    readonly isAdministrator: (user: User) => Effect.Effect<boolean>
    /** The tables of all modules: removals follow the references between them. */
    readonly tables: ReadonlyArray<AnyTable>
    /** The writes that belong in the commit that removes the user; fails with the code of a module that refuses the removal. */
    readonly beforeUserRemoval: (user: User) => Effect.Effect<ReadonlyArray<Write>, AuthError<CommonCode | RemovalCode>>
  }
>()("sallyport/Policies") {}
