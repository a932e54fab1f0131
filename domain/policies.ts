import { Array, Context, type DateTime, Effect, Option } from "effect"
import { type Grant, type Grants, granting } from "./administration/grants.ts"
import type { Permission } from "./administration/permissions.ts"
import type { SearchedKind } from "./administration/search.ts"
import type { Attributes } from "./attributes/attributes.ts"
import type { AuthError, CommonCode, GateCode, RemovalCode } from "./errors.ts"
import type { SecurityEvent } from "./events/security-event.ts"
import type { Permissions } from "./organizations/access-control.ts"
import type { Organization } from "./organizations/organization.ts"
import type { Versioned, Write } from "./ports/store.ts"
import type { AnyTable, Table } from "./ports/table.ts"
import { type Phrase, phrase } from "./ports/texts.ts"
import type { Caller } from "./sessions/caller.ts"
import type { FactorStatus, StoredSession } from "./sessions/session.ts"
import type { Authentication, AuthenticationMethod, Issued, SignsIn } from "./sessions/sign-in.ts"
import type { Cookie } from "./sessions/signed-cookie.ts"
import type { StepUp } from "./sign-in/step-up.ts"
import type { KeyRotation, ShownKey } from "./tokens/shown-key.ts"
import type { Users } from "./users/tables.ts"
import { isUnproved, type StoredUser, type User } from "./users/user.ts"

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
   * address and removes the rows of all `reclaimedTables`. `session`: the new session replaces the caller's own. `hand_off`: it was copied
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
export interface ReclaimedTable {
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

/** Two users, by id, of whom one gets what the other has. */
export interface Merging {
  readonly from: string
  readonly into: string
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

/** The credentials of programs in a request. */
export type PresentedCredentials = Pick<Caller["Service"], "api_key" | "authorization">

/** The request for which a token must be proved (RFC 9449). */
export interface MachineRequest {
  readonly method: string
  /** The path below the issuer. */
  readonly path: string
}

/** The grants of a caller at one moment, and the writes that make a commit fail once they have changed. */
export interface Held {
  readonly grants: Grants
  readonly checks: ReadonlyArray<Write>
  /** Of a key of an organization with a statement. */
  readonly organization?: OrganizationRights
}

/** What a key may do in its organization, as far as the configuration permits it now. */
export interface OrganizationRights {
  readonly organization: Versioned<Organization>
  /** The rank of the key among the members: the role of the member who made it. */
  readonly role: string
  readonly statement: Permissions
}

/** What a program proves itself by: a client of the identity provider or an API key. The application needs no proof. */
export const credentialKinds = ["client", "api_key", "application"] as const
export interface Credential {
  readonly kind: (typeof credentialKinds)[number]
  readonly id: string
}

/** The grants of a program, and the principal as which it acts. */
export interface HeldByMachine extends Held, Pick<Machine, "kind" | "id"> {}

/** A client or a key that acts as a service account is that account. */
export const machineKinds = [...credentialKinds, "service_account"] as const

/** A program that calls with a credential of its own, and its grants. */
export interface Machine {
  readonly credential: Credential
  readonly kind: (typeof machineKinds)[number]
  readonly id: string
  readonly grants: Grants
  /** Reads the grants again. */
  readonly reread: Effect.Effect<Held, AuthError<"unauthorized">>
}

/** A key of an organization that calls an endpoint for members. */
export interface OrganizationKey extends Machine {
  readonly organization: OrganizationRights
}

/** Security events by id, or from a moment until another one (null: all later ones), of which at most `limit` are wanted. */
export type AskedEvents =
  | { readonly ids: ReadonlyArray<string> }
  | { readonly since: DateTime.Utc; readonly until: DateTime.Utc | null; readonly limit: number }

/** Security events that a seal of the audit log covers. Each is in one seal only. */
export interface SealedEvents {
  /** The number of the seal, counted from 1 without a gap. */
  readonly number: number
  readonly events: ReadonlyArray<SecurityEvent>
}

/** The state of a module. */
export interface ModuleHealth {
  /** What waits to be sent; `capped`: more than are counted. */
  readonly queue?: { readonly receiver: string; readonly waiting: number; readonly capped: boolean; readonly oldest_s: number }
  /** For how many seconds the oldest record of the audit log has waited for its seal. */
  readonly seal_age_s?: number
}

/** A challenge of one module. */
export interface ModuleChallenge {
  readonly name: string
  readonly ask: (user: StoredUser, authentication: Authentication) => Effect.Effect<Option.Option<object>, AuthError<CommonCode | GateCode>>
  readonly answeredBy?: (members: object) => Effect.Effect<string | undefined, never, Policies>
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

/**
 * Runs before every new session, for every sign-in method, and fails with the reason to refuse the user. It runs before the commit, so an
 * operation that changes its result must also write the user: otherwise a concurrent sign-in could pass.
 */
export type Gate<R> = (user: User) => Effect.Effect<void, AuthError, R>

/** A kind of factor that users add to their account. A user with one needs a recent proof for sensitive changes. */
export interface Factor<out R> {
  /** Whether it is a second factor: then only proofs by several factors count. */
  readonly second: boolean
  /** Those of these users who have one, in one read for any number of users. */
  readonly heldBy: (userIds: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, never, R>
}

/** A name of a user that is unique among all users, in the form in which it is compared. */
export interface UniqueName {
  readonly name: string
  readonly user_id: string
}

/** The unique names that begin with a text and come after another name, in their order, at most `limit`. */
type UniqueNames<R> = (beginning: string, after: string, limit: number) => Effect.Effect<ReadonlyArray<UniqueName>, never, R>

const byName = (one: UniqueName, other: UniqueName) => (one.name < other.name ? -1 : 1)

/** A telephone number as short messages are sent to it. */
export interface TextedNumber {
  readonly to: string
  /** The name that all of its spellings share, for budgets. */
  readonly e164: string
  readonly country: string
}

/** A kind of linked account. */
export interface AccountKind {
  readonly provider_id: string
  /** Its name in mails: a text of the catalogs, or a name that is the same in all languages. */
  readonly label: Phrase | string
  /** Whether it is a second factor: a password reset of a verified account never removes it. */
  readonly isFactor: boolean
}

/**
 * Refuses a new password: returns the sentence that says why, which the caller receives with `invalid_request`. It never contains the
 * password. The user is null at a sign-up. Passwords of imported users are not checked.
 */
type PasswordRule = (password: string, user: User | null) => Effect.Effect<Option.Option<string>, never, any>

/**
 * Adds writes to the commit that opens a session, and cookies to its response. It may run more than once for one session, so it commits
 * nothing itself. Its writes must not insert a unique value that another row can have. With the proof `registration` they must not update
 * rows of `reclaimedTables`, which the same commit may remove.
 */
type SessionOpened = (opened: OpenedSession) => Effect.Effect<SessionAdditions, never, any>

/** Runs an effect of a part. `Auth.make` requires the services that it needs, and knows the errors that it declares. */
const run = <A, E extends AuthError = never>(effect: Effect.Effect<A, AuthError, any>) => effect as Effect.Effect<A, E>

/** The value of a part in a module that does not declare it, and how the values of all modules become the rule of the same name. */
const rule = <A, Rule>(none: A, join: (each: ReadonlyArray<A>) => Rule) => ({ none, join })

/** The same for a part with another name than the rule. */
const ruleOf = <const Part extends string, A, Rule>(part: Part, none: A, join: (each: ReadonlyArray<A>) => Rule) => ({ part, none, join })

/** Parts that add writes to a commit. They may run more than once for one commit, so they commit nothing themselves. */
const writes = <Given>() =>
  rule(
    (() => Effect.succeed([])) as (given: Given) => Effect.Effect<ReadonlyArray<Write>, never, any>,
    (each) => (given: Given) => run(flatMapped(each, (writesOf) => writesOf(given))),
  )

const flatMapped = <A, B>(all: ReadonlyArray<A>, of: (each: A) => Effect.Effect<ReadonlyArray<B>, AuthError, any>) =>
  Effect.map(Effect.forEach(all, of), Array.flatten)

/** Whether one of these predicates is true; stops at the first that is. */
const anyOf = <A>(predicates: ReadonlyArray<(value: A) => Effect.Effect<boolean, never, any>>) =>
  Effect.fnUntraced(function* anyPredicateHolds(value: A) {
    for (const holds of predicates) if (yield* run(holds(value))) return true
    return false
  })

/** The first result of these functions, which are asked in order. */
const firstOf = <Given, A>(each: ReadonlyArray<(given: Given) => Effect.Effect<Option.Option<A>, AuthError, any>>) =>
  Effect.fnUntraced(function* firstResult(given: Given) {
    for (const find of each) {
      const found = yield* run<Option.Option<A>, AuthError<"unauthorized">>(find(given))
      if (Option.isSome(found)) return found
    }
    return Option.none<A>()
  })

/** The parts of modules that become rules of the domain, by the names of the rules. Other parts are in `application/service/module.ts`. */
const rules = {
  /** Runs the gates of all modules before a session is issued; fails with the code of the first that refuses. */
  passGates: ruleOf(
    "gates",
    [] as ReadonlyArray<Gate<any>>,
    (each) => (user: User) =>
      run<void, AuthError<CommonCode | GateCode>>(Effect.forEach(each.flat(), (gate) => gate(user), { discard: true })),
  ),
  /** Whether a module waives this challenge of the module `of`. */
  isWaived: ruleOf("challengeWaivers", [] as ReadonlyArray<ChallengeWaiver<any>>, (each) =>
    Effect.fnUntraced(function* isChallengeWaived(of: string, user: User, challenge: object, signIn: ProvedSignIn) {
      const waivers = each.flat().filter((waiver) => waiver.of === of)
      for (const { waives } of waivers) if (yield* run(waives(user, challenge, signIn))) return true
      return false
    }),
  ),
  /** Why the rules of modules refuse a new password, as a sentence. The user is null at a sign-up. */
  passwordFault: ruleOf("passwordRules", [] as ReadonlyArray<PasswordRule>, (each) =>
    Effect.fnUntraced(function* firstPasswordFault(password: string, user: User | null) {
      for (const faultOf of each.flat()) {
        const fault = yield* run(faultOf(password, user))
        if (Option.isSome(fault)) return fault
      }
      return Option.none<string>()
    }),
  ),
  /** The writes that modules add to the commit that changes, sets or resets the password of a user. */
  passwordChanged: writes<User>(),
  /**
   * The writes that modules add to every commit that removes the second factor of a user and keeps the user, which already writes the user:
   * use `secondFactorRemovals`. For the removal of the user there is `beforeUserRemoval`.
   */
  secondFactorRemoved: writes<User>(),
  /**
   * The writes that modules add to the commit that ends all sessions of a user, or all but one: they end access that does not end with a
   * session, such as refresh tokens.
   */
  sessionsRevoked: writes<User>(),
  /**
   * The writes that modules add to every commit that ends sessions of the user with this id, also a single one; not at the expiry of a
   * session, nor with the user (`beforeUserRemoval`).
   */
  sessionEnded: writes<string>(),
  /**
   * The writes that modules add to every commit in which a session gets a new proof of its user's identity: a sign-in or a step-up, and no
   * hand-off, which copies an earlier proof.
   */
  identityProved: writes<StoredSession>(),
  /**
   * The claims that modules add to ID tokens and userinfo of the identity provider, by the scopes of the client, as values of JSON. They
   * replace no claim of the standards. Names that other services could use for something else should be URLs.
   */
  userClaims: rule(
    (() => Effect.succeed({})) as (requested: ClaimsRequest) => Effect.Effect<Readonly<Record<string, unknown>>, never, any>,
    (each) => (requested: ClaimsRequest) =>
      Effect.forEach(each, (claimsOf) => claimsOf(requested)).pipe(
        Effect.map((claims): Readonly<Record<string, unknown>> => Object.assign({}, ...claims)),
        run,
      ),
  ),
  /** What modules add to the commit that opens a session, and to its response. */
  sessionOpened: rule(
    (() => Effect.succeed({ writes: [] })) as SessionOpened,
    (each) => (opened: OpenedSession) =>
      Effect.forEach(each, (additionsTo) => additionsTo(opened)).pipe(
        Effect.map((all) => ({ writes: all.flatMap(({ writes }) => writes), cookies: all.flatMap(({ cookies = [] }) => cookies) })),
        run,
      ),
  ),
  /** Whether a module keeps the session of this credential when the same user signs in again (OWASP ASVS 5.0, 7.2.4). It ends otherwise. */
  keepsSession: ruleOf("keepers", [] as ReadonlyArray<(credential: string) => Effect.Effect<boolean, never, any>>, (each) =>
    anyOf(each.flat()),
  ),
  /** The tables whose rows are removed when a never-verified account returns to the owner of its address (`verified-email.ts`). */
  reclaimedTables: rule([] as ReadonlyArray<ReclaimedTable>, (each) => each.flat()),
  /** What mails call a linked account of this provider, and whether a password reset of a verified account never removes it. */
  accountKind: ruleOf("accountKinds", [] as ReadonlyArray<AccountKind>, (each) => {
    const kinds = new Map(each.flat().map((kind) => [kind.provider_id, kind]))
    return (provider_id: string): AccountKind =>
      kinds.get(provider_id) ?? {
        provider_id,
        label: phrase("mail.credential.provider", { provider: { provider: provider_id } }),
        isFactor: false,
      }
  }),
  /** The kinds of linked accounts that the second factor of this user sends codes to: they are neither removed nor set by others. */
  factorAccounts: rule(
    (() => Effect.succeed([])) as (user_id: string) => Effect.Effect<ReadonlyArray<string>, never, any>,
    (each) => (user_id: string) => run(flatMapped(each, (kindsOf) => kindsOf(user_id))),
  ),
  /** The number to which codes for the linked number of this name are sent; none if it gets none, or no module has numbers. */
  textedNumber: ruleOf(
    "textedNumbers",
    [] as ReadonlyArray<(account_id: string) => Effect.Effect<Option.Option<TextedNumber>, never, any>>,
    (each) => (account_id: string) =>
      Effect.map(run(flatMapped(each.flat(), (read) => Effect.map(read(account_id), Option.toArray))), Array.head),
  ),
  /** What all modules do with their rows when a never-verified account returns to the owner of its address. */
  reclaim: ruleOf(
    "reclaims",
    [] as ReadonlyArray<(user: User) => Effect.Effect<Reclaim, never, any>>,
    (each) => (user: User) =>
      Effect.forEach(each.flat(), (reclaim) => reclaim(user)).pipe(
        Effect.map((all) => ({ writes: all.flatMap(({ writes }) => writes), kept: all.flatMap(({ kept }) => kept) })),
        run,
      ),
  ),
  /**
   * Whether the address is invited to sign up: the writes that spend its invitations, for the commit that adds the user. They make the
   * commit fail if an invitation has been spent or withdrawn since.
   */
  invitationOf: ruleOf(
    "invitations",
    [] as ReadonlyArray<(email: string) => Effect.Effect<ReadonlyArray<Write>, never, any>>,
    (each) => (email: string) =>
      Effect.map(run(flatMapped(each.flat(), (invitationOf) => invitationOf(email))), Option.liftPredicate(Array.isReadonlyArrayNonEmpty)),
  ),
  /** Whether the address gives its user rights: a user can change to such an address only by proving the mailbox. */
  isConfirmedAddress: ruleOf("confirmedAddresses", [] as ReadonlyArray<string>, (each) => {
    const addresses = new Set(each.flat())
    return (email: string) => addresses.has(email)
  }),
  factorsHeldBy: ruleOf("factor", undefined as Factor<any> | undefined, (each) => {
    const factors = each.flatMap((factor) => factor ?? [])
    return (userId: string) =>
      Effect.filter(factors, ({ heldBy }) => Effect.map(heldBy([userId]), (holders) => holders.has(userId))).pipe(
        Effect.map((held): FactorStatus => ({ any: held.length > 0, second: held.some(({ second }) => second) })),
        run,
      )
  }),
  /** Those of these users who have a second factor, in one read for each kind. */
  withSecondFactor: ruleOf("factor", undefined as Factor<any> | undefined, (each) => {
    const factors = each.flatMap((factor) => (factor?.second ? [factor] : []))
    return (userIds: ReadonlyArray<string>) =>
      Effect.forEach(factors, ({ heldBy }) => heldBy(userIds)).pipe(
        Effect.map((held): ReadonlySet<string> => new Set(held.flatMap((holders) => [...holders]))),
        run,
      )
  }),
  /** The user names that begin with a text, for administrators who search users; none without a module that has such names. */
  userNames: rule(
    (() => Effect.succeed([])) as UniqueNames<any>,
    (each): UniqueNames<never> =>
      (...asked) =>
        run(
          Effect.map(
            flatMapped(each, (namesOf) => namesOf(...asked)),
            (names) => names.toSorted(byName).slice(0, asked[2]),
          ),
        ),
  ),
  /** What administrators find by the beginning of a text, at `GET /admin/search`. */
  searches: rule([] as ReadonlyArray<SearchedKind<any>>, (each): ReadonlyArray<SearchedKind<never>> => each.flat() as never),
  /** The module whose endpoints enrol a second factor with the token of a challenge; undefined without one. */
  factorEnrolment: rule(undefined as string | undefined, (each) => each.find((name) => name !== undefined)),
  /** The proofs that `POST /step-up` accepts, by the name of their input member. */
  stepUps: rule({} as Readonly<Record<string, StepUp<any>>>, (each): Readonly<Record<string, Proof>> => Object.assign({}, ...each)),
  /** Whether administrators without a factor are refused. */
  administratorsNeedFactor: rule(false as boolean, (each) => each.some((needs) => needs)),
  /** Whether users need a recent proof of their identity for the permissions of `needsProof`. */
  administratorsStepUp: rule(false as boolean, (each) => each.some((needs) => needs)),
  /** Whether administrators change nothing that has a version without the one that they have read. */
  versionsRequired: rule(false as boolean, (each) => each.some((needs) => needs)),
  /**
   * The grants of a user, by all modules together; a permission alone is without limits. `grantsOf` asks for the required factor as well.
   * Guests and test users have none.
   */
  granted: ruleOf(
    "grants",
    (() => Effect.succeed([])) as (user: User) => Effect.Effect<ReadonlyArray<Permission | Grant>, never, any>,
    (each) => (user: StoredUser) =>
      Effect.map(
        isUnproved(user) ? Effect.succeed([]) : run(flatMapped(each, (grantsOf) => grantsOf(user))),
        (granted): Grants => [
          ...granting(granted.filter((one) => typeof one === "string")),
          ...granted.filter((one) => typeof one !== "string"),
        ],
      ),
  ),
  /** The program whose credential for the administration of this service the request has; none without a valid one. */
  machine: ruleOf(
    "machines",
    (() => Effect.succeed(Option.none())) as (request: MachineRequest) => Effect.Effect<Option.Option<Machine>, AuthError, any>,
    (each) => firstOf<MachineRequest, Machine>(each),
  ),
  /** The key of an organization that the request has; none without a valid one with a statement. */
  organizationKey: ruleOf(
    "organizationKeys",
    (() => Effect.succeed(Option.none())) as (request: MachineRequest) => Effect.Effect<Option.Option<OrganizationKey>, AuthError, any>,
    (each) => firstOf<MachineRequest, OrganizationKey>(each),
  ),
  /** Whether `X-API-Key` is a credential: a request with it then has no session. */
  takesApiKeys: rule(false as boolean, (each) => each.some((takes) => takes)),
  /** Whether a member with this role may do this in an organization, or read it; false without organizations. */
  organizationPermits: rule(
    (() => false) as (role: string, resource: string, action: string) => boolean,
    (each) =>
      (...asked: readonly [role: string, resource: string, action: string]) =>
        each.some((permits) => permits(...asked)),
  ),
  /** Whether a member with a role may grant another one; false without organizations. */
  mayGrantRole: rule(
    (() => false) as (own: string, role: string) => boolean,
    (each) =>
      (...asked: readonly [own: string, role: string]) =>
        each.some((mayGrant) => mayGrant(...asked)),
  ),
  /** The grants of a program now, without a request: for work that it has started. None if its credential is not valid any more. */
  machineHeld: ruleOf(
    "machineGrants",
    (() => Effect.succeed(Option.none())) as (credential: Credential) => Effect.Effect<Option.Option<HeldByMachine>, never, any>,
    (each) => firstOf<Credential, HeldByMachine>(each),
  ),
  /** The keys that sign the tokens of modules. */
  signingKeys: rule(Effect.succeed([]) as Effect.Effect<ReadonlyArray<ShownKey>, never, any>, (each) =>
    run(Effect.map(Effect.all(each), Array.flatten)),
  ),
  /** The next keys of modules that keep them in the store, before they are due. They may be asked for more than once for one commit. */
  keyRotations: rule([] as ReadonlyArray<Effect.Effect<KeyRotation, never, any>>, (each) => run(Effect.all(each.flat()))),
  /** The state of modules, for administrators. */
  health: rule(Effect.succeed({}) as Effect.Effect<ModuleHealth, never, any>, (each) => run(Effect.all(each))),
  /** The stored security events with these ids, or of a time, the oldest first; none without a module that stores them. */
  recordedEvents: rule(
    (() => Effect.succeed([])) as (asked: AskedEvents) => Effect.Effect<ReadonlyArray<SecurityEvent>, never, any>,
    (each) => (asked: AskedEvents) => run(flatMapped(each, (eventsOf) => eventsOf(asked))),
  ),
  /**
   * The writes that modules add to the commit of a seal of the audit log, which only one process makes: what they count, they count once.
   * They are asked after the end of the chain was read, and may be asked more than once for one seal.
   */
  sealed: writes<SealedEvents>(),
  /** The attributes of users that the configuration declares. */
  attributes: rule([] as Attributes, (each) => each.flat()),
  /** The attributes of organizations that the configuration declares. */
  organizationAttributes: rule([] as Attributes, (each) => each.flat()),
  /** The attributes of members of organizations that the configuration declares. */
  memberAttributes: rule([] as Attributes, (each) => each.flat()),
  /** The tables of all modules: removals follow the references between them. */
  tables: rule([] as ReadonlyArray<AnyTable>, (each) => each.flat()),
  /**
   * The writes that move rows of one user to another when administrators merge them, a hundred at a time; none when nothing is left to
   * move. They are committed with a write of both users.
   */
  mergesUsers: writes<Merging>(),
  /**
   * The writes that belong in the commit that removes the user; fails with the code of a module that refuses the removal. Rows that
   * reference the user are removed in any case.
   */
  beforeUserRemoval: rule(
    [] as ReadonlyArray<(user: StoredUser) => Effect.Effect<ReadonlyArray<Write>, AuthError, any>>,
    (each) => (user: StoredUser) =>
      run<ReadonlyArray<Write>, AuthError<CommonCode | RemovalCode>>(flatMapped(each.flat(), (writesBefore) => writesBefore(user))),
  ),
}
type Rules = typeof rules

/** The parts of a module that become rules of the domain. */
export type RuleParts = {
  readonly [Name in keyof Rules as Rules[Name] extends { readonly part: infer Part extends string } ? Part : Name]: Rules[Name]["none"]
}

const partOf = (name: string): string => {
  const declared = rules[name as keyof Rules]
  return "part" in declared ? declared.part : name
}

/** These parts in a module that declares none of them. */
export const noRuleParts = Object.fromEntries(Object.entries(rules).map(([name, { none }]) => [partOf(name), none])) as RuleParts

/** The rules that modules with these parts add to the service together. Calls run nothing for a module that does not declare a part. */
export const joinRules = (modules: ReadonlyArray<RuleParts>) =>
  Object.fromEntries(
    Object.entries(rules).map(([name, { none, join }]) => [
      name,
      (join as (each: ReadonlyArray<unknown>) => unknown)(
        modules.map((module) => Reflect.get(module, partOf(name))).filter((part) => part !== none),
      ),
    ]),
  ) as { readonly [Name in keyof Rules]: ReturnType<Rules[Name]["join"]> }

/** The rules that all modules together add to the service, for one endpoint. `Auth.call` provides it. */
export class Policies extends Context.Service<
  Policies,
  ReturnType<typeof joinRules> & {
    readonly endpoint: Operation
    /** How callers of this endpoint prove who they are. Dies in an endpoint that does not declare it. */
    readonly signsIn: Effect.Effect<SignsIn>
    /**
     * The challenges of a sign-in, in the order of the modules. `answeredModule`: the module whose challenge was answered; only the modules after
     * it challenge.
     */
    readonly challengesFor: (authentication: Authentication, answeredModule: string | undefined) => ReadonlyArray<ModuleChallenge>
  }
>()("sallyport/Policies") {}
