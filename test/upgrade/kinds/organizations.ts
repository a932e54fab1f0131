import { kind, of } from "../calls.ts"
import { delayed } from "../configuration.ts"

/** Organizations, members, roles, teams and invitations. */
export const organizations = kind({
  fill: async ({ ok, verified }) => {
    const olga = await verified("olga")
    const organization = (await ok("/organization/create", { name: "Engines", slug: "engines" }, olga)).body["organization"].id as string
    const ivan = await verified("ivan")
    const invite = async (email: string, role?: string): Promise<string> =>
      (await ok("/organization/invite", { organization_id: organization, email, role }, olga)).body["invitation"].id
    const invitation = await invite(of("ivan").email)
    await invite(delayed)
    const uma = await verified("uma")
    await ok("/organization/accept-invitation", { invitation_id: await invite(of("uma").email, "admin") }, uma)
    await ok("/organization/set-active", { organization_id: organization }, uma)
    const team = (await ok("/organization/create-team", { organization_id: organization, name: "Looms" }, olga)).body["team"].id as string
    const { user } = (await ok("/get-session", undefined, uma)).body
    await ok("/organization/add-team-member", { team_id: team, user_id: user.id }, olga)
    return { olga, ivan, uma, organization, invitation, team }
  },
  checks: ({ call, statusOf }, { olga, ivan, uma, organization, invitation, team }) => {
    const get = (path: string, as: string) => call(`/organization/${path}`, undefined, as)
    const may = async (as: string, permissions: object) =>
      (await call("/organization/has-permission", { organization_id: organization, permissions }, as)).body["allowed"]
    return {
      "an invitation": () => statusOf("/organization/accept-invitation", { invitation_id: invitation }, ivan),
      "an organization": async () => (await get(`list-members?organization_id=${organization}`, olga)).body["members"].length === 3,
      "an active organization": async () => (await get("get-active", uma)).body["organization"].id === organization,
      "a role": async () =>
        (await may(uma, { invitation: ["create"] })) === true && (await may(uma, { organization: ["delete"] })) === false,
      "a team": async () => (await get(`list-teams?organization_id=${organization}`, uma)).body["teams"][0].name === "Looms",
      "a member of a team": async () => (await get(`list-team-members?team_id=${team}`, uma)).body["members"].length === 1,
      "a list of invitations": async () => (await get(`list-invitations?organization_id=${organization}`, olga)).status,
    }
  },
})
