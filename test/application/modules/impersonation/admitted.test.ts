import { assert, describe, it } from "@effect/vitest"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import { both, impersonating, outcome, rule, service } from "./impersonations.ts"

// What administrators can do in the name of a user: an endpoint that is in neither list refuses them.

const reads = [
  ...["/get-session", "/list-sessions", "/list-accounts", "/sign-out", "/impersonation/stop", "/audit/list", "/organization/audit/list"],
  ...["list", "get-full", "get-active", "list-members", "list-invitations", "list-teams", "list-team-members", "has-permission"].map(
    (verb) => `/organization/${verb}`,
  ),
  ...["/2fa/totp/status", "/2fa/codes/status", "/2fa/browsers/list", "/passkey/list", "/username/show"],
  // It decides itself, and answers the client.
  ...["/oauth2/authorize", "/oauth2/authorize"],
  ...["/oauth2/logout", "/oauth2/logout", "/oauth2/logout/confirm"],
]
const acts = [
  ...["/update-user", "/token"],
  ...["update", "set-active", "create-team", "update-team", "remove-team", "add-team-member", "remove-team-member"].map(
    (verb) => `/organization/${verb}`,
  ),
  ...["/organization/reject-invitation", "/organization/cancel-invitation"],
]
const all = Object.values<AnyEndpoint>(service.endpoints)
const pathsOf = (some: ReadonlyArray<AnyEndpoint>) => some.map(({ path }) => path)
/** They end the session of the test. */
const ending = ["/sign-out", "/impersonation/stop", "/oauth2/logout/confirm"]

describe("an impersonated session", () => {
  it("is admitted by these endpoints only", () => {
    assert.sameMembers(pathsOf(all.filter(({ impersonation }) => impersonation === "read")), reads)
    assert.sameMembers(pathsOf(all.filter(({ impersonation }) => impersonation === "act")), acts)
  })

  it("is never admitted where administrators act, a recent proof is needed, or a sign-in begins", () => {
    const never = all.filter(
      ({ access, guard, path, signsIn }) =>
        typeof access === "object" || guard !== undefined || signsIn !== undefined || path.startsWith("/admin/"),
    )
    assert.deepStrictEqual(pathsOf(never.filter(({ impersonation }) => impersonation !== "never")), [])
  })

  for (const mode of ["read", "act"] as const)
    rule(`is refused by every other operation in the mode ${mode}, before its input is decoded`, function* () {
      const { owner, user_id } = yield* both
      const inside = yield* impersonating(owner, user_id, mode)
      const admitted: Array<string> = []
      for (const endpoint of all.filter(({ path }) => !ending.includes(path)))
        if ((yield* outcome(inside, endpoint, { user_id: 7, session_id: 7, email: 7 })) !== "impersonation_refused")
          admitted.push(endpoint.path)
      const wanted = mode === "read" ? reads : [...reads, ...acts]
      assert.sameMembers(
        admitted,
        wanted.filter((path) => !ending.includes(path)),
      )
    })
})
