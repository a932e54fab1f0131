import { define } from "../../../domain/errors.ts"

export const InvalidRole = define("invalid_role", 400, "This role does not exist.", {
  remedy: "Use a role of `modules.organization.access_control`, by default `owner`, `admin` or `member`.",
})
export const NotAMember = define("not_a_member", 404, "This user is not a member of the organization.", {
  remedy: "Read the members from `GET /organization/list-members`.",
})
export const OrganizationNotFound = define("organization_not_found", 404, "There is no such organization.", {
  remedy: "Use the id of an organization that the roles of the caller reach.",
})
export const SlugTaken = define("slug_taken", 409, "Another organization has this slug.", { remedy: "Let the user choose another slug." })
export const TeamNotFound = define("team_not_found", 404, "This team does not exist.", {
  remedy: "Read the teams from `GET /organization/list-teams`.",
})
