import type { Page, Resource } from "../page.ts"
import { activity } from "./activity.ts"
import { applications } from "./applications.ts"
import { authenticator } from "./authenticator.ts"
import { authenticatorDisable } from "./authenticator-disable.ts"
import { connections } from "./connections.ts"
import { deletion } from "./delete.ts"
import { email, emailSent } from "./email.ts"
import { member } from "./organizations/member.ts"
import { organization } from "./organizations/organization.ts"
import { organizationDelete, organizationEdit } from "./organizations/organization-edit.ts"
import { organizationInvite } from "./organizations/organization-invite.ts"
import { organizations } from "./organizations/organizations.ts"
import { team } from "./organizations/team.ts"
import { teamNew } from "./organizations/team-new.ts"
import { passkey } from "./passkey.ts"
import { passkeyAdd, passkeyOptions } from "./passkey-add.ts"
import { passkeySignals } from "./passkey-signals.ts"
import { password } from "./password.ts"
import { phone, phoneCode } from "./phone.ts"
import { profile } from "./profile.ts"
import { recoveryCodes } from "./recovery-codes.ts"
import { security } from "./security.ts"
import { emailCodes, smsCodes } from "./sent-codes.ts"
import { sessions } from "./sessions.ts"
import { username } from "./username.ts"

/** The pages of the account. */
export const accountPages: ReadonlyArray<Page> = [
  profile,
  email,
  emailSent,
  username,
  phone,
  phoneCode,
  deletion,
  security,
  password,
  passkey,
  passkeyAdd,
  authenticator,
  authenticatorDisable,
  emailCodes,
  smsCodes,
  recoveryCodes,
  connections,
  applications,
  sessions,
  activity,
  organizations,
  organization,
  organizationEdit,
  organizationInvite,
  organizationDelete,
  member,
  team,
  teamNew,
]

/** The resources of their scripts. */
export const accountResources: ReadonlyArray<Resource> = [passkeyOptions, passkeySignals]
