import type { Text } from "../../letters.ts"
import { compose, span } from "../../letters.ts"

/** What an invitation is about. */
interface Invited {
  readonly link: string
  /** What the organization is called by its own people. */
  readonly organization: string
  /** Seconds for which the invitation is open. */
  readonly lifetime: number
  readonly service?: string
}

/** Asks the owner of an address to join an organization. */
export const invitationLetter = ({ link, organization, lifetime, service }: Invited): Text =>
  compose(service, (name) => ({
    subject: `You are invited to an organization at ${name}`,
    paragraphs: [
      `You are invited to join ${mentionable(organization) ? organization : "an organization"} at ${name}. See what it is about, and accept or decline:`,
      { label: "See the invitation", link },
      `The invitation is open for ${span(lifetime)}.`,
      "If you do not know who could have invited you, ignore this letter: nothing happens.",
    ],
  }))

/**
 * Anybody can found an organization and have us write to strangers. Its name is repeated only if it is no more than a name:
 * short, on one line, and without what could be an address, a link or a telephone number.
 */
const mentionable = (name: string) =>
  /^[\p{L}\p{N}][\p{L}\p{M}\p{N} '’&,()-]{0,49}$/u.test(name) && (name.match(/\p{N}/gu) ?? []).length <= 4
