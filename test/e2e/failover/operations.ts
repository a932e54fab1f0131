import type { Answer, Client } from "./client.ts"

const password = "correct horse battery staple"

/** A user of the test. One change of the profile is sent at a time, so that the last acknowledged name is known. */
interface Person {
  readonly id: string
  readonly email: string
  readonly cookie: string
  /** The names that the profile may have: the last acknowledged one, and later ones whose change was not acknowledged. */
  names: Array<string | undefined>
  /** Names of changes that got no answer from an instance: each may be applied at any time. */
  readonly lateNames: Array<string>
  isBusy: boolean
}

/** The kinds of requests, with their share, and the events that each of them commits. */
export const kinds = {
  "update the profile": { share: 15, events: ["user.updated"] },
  "sign in": { share: 10, events: ["sign_in.succeeded", "session.opened"] },
  "sign out": { share: 8, events: ["session.revoked"] },
  "sign up": { share: 4, events: ["user.created", "credential.added", "sign_in.succeeded", "session.opened"] },
  "create an organization": { share: 3, events: ["organization.created", "organization.member_added"] },
  "read the session": { share: 60, events: [] },
} as const satisfies Readonly<Record<string, { readonly share: number; readonly events: ReadonlyArray<string> }>>
export type Kind = keyof typeof kinds

/** Every answered 200 that wrote something. */
export interface Acknowledged {
  readonly kind: Kind
  readonly requestId: string
  /** Whose profile was changed. */
  readonly person?: string
}

/** What has to be in the database after the load. */
export interface Ledger {
  readonly acknowledged: Array<Acknowledged>
  readonly people: Array<Person>
  readonly slugs: Array<string>
  /** Request ids of sign-ins: the session of each is there, is gone because its sign-out was acknowledged, or may be either. */
  readonly sessions: Map<string, "there" | "gone" | "either">
}

const wheel = Object.entries(kinds).flatMap(([kind, { share }]) => Array.from({ length: share }, () => kind as Kind))

/** Requests that commit events, in a mix, and what the database has to contain because of their answers. */
export const makeOperations = (client: Client) => {
  const ledger: Ledger = { acknowledged: [], people: [], slugs: [], sessions: new Map() }
  const signedIn: Array<{ readonly requestId: string; readonly cookie: string }> = []
  let count = 0

  const noted = (kind: Kind, answer: Answer, person?: string) => {
    const { status, requestId } = answer
    if (status === 200 && requestId !== undefined)
      ledger.acknowledged.push({ kind, requestId, ...(person === undefined ? {} : { person }) })
    return answer
  }
  const signUp = async () => {
    const email = `person${count++}@example.com`
    const answer = noted("sign up", await client.send("/sign-up/email", { email, password }, undefined))
    const { user, cookie } = answer
    if (user && cookie !== undefined) ledger.people.push({ id: user.id, email, cookie, names: [undefined], lateNames: [], isBusy: false })
    return answer
  }
  const anyone = () => ledger.people[Math.floor(Math.random() * ledger.people.length)]!
  const update = async (): Promise<Answer> => {
    const person = anyone()
    if (person.isBusy) return update()
    person.isBusy = true
    const name = `name ${count++}`
    const answer = noted("update the profile", await client.send("/update-user", { name }, person.cookie), person.id)
    const wasAnswered = answer.requestId !== undefined
    person.names = answer.status === 200 ? [name] : [...person.names, name]
    // The instance may still work on it, and apply it after a later change.
    if (!wasAnswered) person.lateNames.push(name)
    person.isBusy = false
    return answer
  }
  const signIn = async () => {
    const answer = noted("sign in", await client.send("/sign-in/email", { email: anyone().email, password }, undefined))
    const { cookie, requestId } = answer
    if (answer.status === 200 && cookie !== undefined && requestId !== undefined) {
      ledger.sessions.set(requestId, "there")
      signedIn.push({ cookie, requestId })
    }
    return answer
  }
  const signOut = async () => {
    const session = signedIn.shift()
    if (session === undefined) return signIn()
    const answer = noted("sign out", await client.send("/sign-out", {}, session.cookie))
    ledger.sessions.set(session.requestId, answer.status === 200 ? "gone" : "either")
    return answer
  }
  const createOrganization = async () => {
    const slug = `organization-${count++}`
    const body = { name: slug, slug }
    const answer = noted("create an organization", await client.send("/organization/create", body, anyone().cookie))
    if (answer.status === 200) ledger.slugs.push(slug)
    return answer
  }
  const operations: Readonly<Record<Kind, () => Promise<Answer>>> = {
    "update the profile": update,
    "sign in": signIn,
    "sign out": signOut,
    "sign up": signUp,
    "create an organization": createOrganization,
    "read the session": () => client.send("/get-session", undefined, anyone().cookie),
  }
  return { ledger, signUp, any: () => operations[wheel[Math.floor(Math.random() * wheel.length)]!]() }
}
