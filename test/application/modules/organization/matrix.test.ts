import { assert, describe } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { type AnyEndpoint, statusOf } from "../../../../application/service/endpoint.ts"
import type { AuthError } from "../../../../domain/errors.ts"
import type { WorldServices } from "../../../world.ts"
import { browser } from "../../../world.ts"
import { endpoints, founded, joined, type Person, person, rule, staffed } from "./organizations.ts"

// Every endpoint for every kind of caller, and with every id of another organization.

type Name = keyof typeof endpoints
type Input = Readonly<Record<string, unknown>>

/** An organization with members, teams and invitations, created for each call, which may consume them. */
interface Scene {
  readonly owner: Person
  readonly organization_id: string
  /** The callers. */
  readonly email: string
}

let drawn = 0
const fresh = () => `fresh${++drawn}`

const newMember = Effect.fnUntraced(function* ({ owner, organization_id }: Scene) {
  const their = yield* person(fresh())
  yield* joined(owner, their, organization_id)
  return { user_id: their.user.id }
})
const newTeam = Effect.fnUntraced(function* ({ owner, organization_id }: Scene) {
  const { team } = yield* owner.body(endpoints.organizationCreateTeam, { organization_id, name: "Team" })
  return { team_id: team.id }
})
const newInvitation = Effect.fnUntraced(function* ({ owner, organization_id, email }: Scene) {
  const { invitation } = yield* owner.body(endpoints.organizationInvite, { organization_id, email })
  return { invitation_id: invitation.id }
})
const here = ({ organization_id }: Scene) => Effect.succeed({ organization_id })

type Making = (scene: Scene) => Effect.Effect<Input, AuthError, WorldServices>
const all =
  (...parts: ReadonlyArray<Making>): Making =>
  (scene) =>
    Effect.map(
      Effect.forEach(parts, (part) => part(scene)),
      (inputs) => Object.assign({}, ...inputs),
    )
const also =
  (input: () => Input): Making =>
  () =>
    Effect.sync(input)
const nothing = also(() => ({}))
const named = also(() => ({ name: "Name" }))

const callers = ["anonymous", "outsider", "ownerElsewhere", "member", "admin", "owner"] as const
type Expected = readonly [number, number, number, number, number, number]
const anyUser: Expected = [401, 200, 200, 200, 200, 200]
const members: Expected = [401, 403, 403, 200, 200, 200]
const admins: Expected = [401, 403, 403, 403, 200, 200]
const owners: Expected = [401, 403, 403, 403, 403, 200]
/** Only administrators of the service. */
const noMember: Expected = [401, 403, 403, 403, 403, 403]

const rows: Record<Name, readonly [input: Making, expected: Expected]> = {
  organizationCreate: [
    all(
      named,
      also(() => ({ slug: fresh() })),
    ),
    anyUser,
  ],
  adminOrganizationsShow: [here, noMember],
  adminOrganizationsMembers: [here, noMember],
  adminOrganizationsInvitations: [here, noMember],
  adminOrganizationsManageUser: [
    all(
      here,
      newMember,
      also(() => ({ domain: "example.com" })),
    ),
    noMember,
  ],
  adminOrganizationsReleaseUser: [all(here, newMember), noMember],
  adminOrganizationsList: [nothing, noMember],
  adminOrganizationsCreate: [all(named, newMember), noMember],
  adminOrganizationsUpdate: [all(here, named), noMember],
  adminOrganizationsDelete: [here, noMember],
  adminOrganizationsAddMember: [all(here, newMember), noMember],
  adminOrganizationsSetMemberRole: [all(here, newMember), noMember],
  adminOrganizationsUpdateMember: [
    all(
      here,
      newMember,
      also(() => ({ changes: { role: "admin" } })),
    ),
    noMember,
  ],
  adminOrganizationsRemoveMember: [all(here, newMember), noMember],
  adminOrganizationsInvite: [here, noMember],
  adminOrganizationsResendInvitation: [here, noMember],
  adminOrganizationsCancelInvitation: [here, noMember],
  organizationUpdate: [all(here, named), owners],
  organizationDelete: [here, owners],
  organizationList: [nothing, anyUser],
  organizationGetFull: [here, members],
  organizationSetActive: [here, members],
  organizationGetActive: [nothing, anyUser],
  organizationListMembers: [here, members],
  organizationRemoveMember: [all(here, newMember), admins],
  organizationUpdateRole: [
    all(
      here,
      newMember,
      also(() => ({ role: "admin" })),
    ),
    admins,
  ],
  organizationUpdateMember: [
    all(
      here,
      newMember,
      also(() => ({ role: "admin" })),
    ),
    admins,
  ],
  organizationLeave: [here, [401, 404, 404, 200, 200, 400]],
  organizationInvite: [
    all(
      here,
      also(() => ({ email: "new@example.com" })),
    ),
    admins,
  ],
  organizationShowInvitation: [newInvitation, [200, 200, 200, 200, 200, 200]],
  organizationAcceptInvitation: [newInvitation, [401, 200, 200, 400, 400, 400]],
  organizationAcceptInvitationSignUp: [
    all(
      newInvitation,
      also(() => ({ token: "not that of the mail", password: "correct horse battery" })),
    ),
    [400, 400, 400, 400, 400, 400],
  ],
  organizationRejectInvitation: [newInvitation, anyUser],
  organizationCancelInvitation: [newInvitation, admins],
  organizationListInvitations: [here, members],
  organizationCreateTeam: [all(here, named), admins],
  organizationListTeams: [here, members],
  organizationUpdateTeam: [all(newTeam, named), admins],
  organizationRemoveTeam: [newTeam, admins],
  organizationAddTeamMember: [all(newTeam, newMember), admins],
  organizationRemoveTeamMember: [all(newTeam, newMember), admins],
  organizationListTeamMembers: [newTeam, members],
  organizationHasPermission: [
    all(
      here,
      also(() => ({ permissions: { team: ["create"] } })),
    ),
    anyUser,
  ],
}

/** The HTTP status of the call; 500 for a defect. */
const statusOfCall = Effect.fnUntraced(function* (their: Pick<Person, "call">, endpoint: AnyEndpoint, input: Input) {
  const exit = yield* Effect.exit(their.call(endpoint, input))
  if (Exit.isSuccess(exit)) return 200
  const error = exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error
  return error === undefined ? 500 : statusOf(endpoint, error)
})

const names = Object.keys(endpoints) as ReadonlyArray<Name>

describe("each kind of caller", () => {
  for (const name of names) {
    const [making, expected] = rows[name]
    rule(`${endpoints[name].method} ${endpoints[name].path}`, function* () {
      const people = yield* staffed
      const ownerElsewhere = yield* person("elsewhere")
      yield* founded(ownerElsewhere, "elsewhere")
      const anonymous = { ...browser(), user: { email: "unknown@example.com" } }
      const their = { anonymous, ownerElsewhere, ...people }
      const statuses: Array<number> = []
      for (const caller of callers) {
        const scene = { owner: people.owner, organization_id: people.organization_id, email: their[caller].user.email }
        statuses.push(yield* statusOfCall(their[caller], endpoints[name], yield* making(scene)))
      }
      assert.deepStrictEqual(statuses, [...expected], callers.join())
    })
  }
})

/** Endpoints with other errors: a query of permissions, and a condition on the team's organization. */
const specified: Readonly<Record<string, number>> = {
  "organizationHasPermission organization_id": 200,
  "organizationAddTeamMember user_id": 400,
  // The id of an invitation is a secret, which shows the invitation to its reader.
  "organizationShowInvitation invitation_id": 200,
  "organizationAcceptInvitationSignUp invitation_id": 400,
}

describe("an id of another organization", () => {
  for (const name of names) {
    const endpoint: AnyEndpoint = endpoints[name]
    const fields = Object.keys(Reflect.get(endpoint.input, "fields")).filter((field) => field.endsWith("_id"))
    if (fields.length === 0) continue
    rule(`is refused as ${fields.join(" or ")} of ${endpoint.path}`, function* () {
      const [ada, eve] = [yield* person("ada"), yield* person("eve")]
      const sceneOf = Effect.fnUntraced(function* (owner: Person) {
        return { owner, organization_id: (yield* founded(owner, fresh())).id, email: fresh().concat("@example.com") }
      })
      const [making] = rows[name]
      for (const field of fields) {
        const [own, other] = [yield* making(yield* sceneOf(eve)), yield* making(yield* sceneOf(ada))]
        const mixed = { ...own, [field]: other[field] }
        const status = yield* statusOfCall(eve, endpoint, mixed)
        const wanted = Option.fromUndefinedOr(specified[`${name} ${field}`])
        if (Option.isSome(wanted)) assert.strictEqual(status, wanted.value, field)
        else assert.include([403, 404], status, field)
      }
    })
  }
})
