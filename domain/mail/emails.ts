/** A mail without its recipient. */
export interface Text {
  readonly subject: string
  readonly text: string
  readonly html: string
}

// No mail repeats a user's name: an attacker who signs up with another person's address would have the service
// mail the attacker's words to that person.

/** The content of a mail with a link. */
interface WithLink {
  readonly link: string
  readonly service?: string
}

/** The content of a notice about a change to an account. */
interface Notice {
  /** The current or previous address of the account. */
  readonly email: string
  readonly service?: string
}

/** Asks the recipient to verify the address of an account. */
export const verifyEmail = ({ link, service }: WithLink): Text =>
  compose(service, (name) => ({
    subject: `Verify your e-mail address for ${name}`,
    paragraphs: [
      `Please confirm that this address belongs to your ${name} account:`,
      { label: "Verify e-mail address", link },
      "The link is valid for one hour.",
      `If you did not sign up at ${name}, do not follow the link: another person entered your address, and the link would confirm the account that they set up. Ignore this message.`,
    ],
  }))

/** Contains the link to set a new password. `others`: labels of the account's other credentials. */
export const resetPassword = ({
  link,
  service,
  others = [],
  removesOthers = false,
}: WithLink & { readonly others?: ReadonlyArray<string>; readonly removesOthers?: boolean }): Text =>
  compose(service, (name) => ({
    subject: `Reset your ${name} password`,
    paragraphs: [
      `We received a request to reset the password of your ${name} account. If you made it, choose a new password here:`,
      { label: "Choose a new password", link },
      "The link is valid for one hour and works once.",
      ...otherCredentials(others, removesOthers),
      "If you did not make this request, ignore this message: your password stays as it is.",
    ],
  }))

const otherCredentials = (others: ReadonlyArray<string>, removesOthers: boolean): ReadonlyArray<string> => {
  if (others.length === 0) return []
  const listed = `This account has other ways to sign in, or second factors: ${others.join(", ")}.`
  return removesOthers
    ? [`${listed} This address was never verified, so they are removed when you choose a new password.`]
    : [`${listed} If you do not recognise one of them, choose a new password first and then remove it.`]
}

/** Asks the owner of the new address to confirm a change of address. */
export const confirmEmailChange = ({ link, service }: WithLink): Text =>
  compose(service, (name) => ({
    subject: `Confirm your new e-mail address for ${name}`,
    paragraphs: [
      `Please confirm that you want to use this address for your ${name} account:`,
      { label: "Use this address", link },
      "The link is valid for one hour.",
      "If you did not request this change, do not follow the link. Ignore this message: your account stays as it is.",
    ],
  }))

/** Notifies the previous addresses. Abbreviates the new one: other people may read the old mailbox. */
export const emailChanged = ({ email, newEmail, service }: Notice & { readonly newEmail: string }): Text =>
  compose(service, (name) => ({
    subject: `The e-mail address of your ${name} account was changed`,
    paragraphs: [
      `The address of your ${name} account was changed from ${oneLine(email)} to ${hint(newEmail)}.`,
      `If you did not change it, another person has access to your account: contact the people who run ${name}.`,
    ],
  }))

/** Notifies a user of a new password. `removed`: labels of the credentials that were removed in the same commit. */
export const passwordChanged = ({ email, service, removed = [] }: Notice & { readonly removed?: ReadonlyArray<string> }): Text =>
  compose(service, (name) => ({
    subject: `The password of your ${name} account was changed`,
    paragraphs: [
      `The password of the ${name} account ${oneLine(email)} was changed.`,
      ...(removed.length === 0 ? [] : [`Removed at the same time: ${removed.join(", ")}.`]),
      "If you did not change it, reset your password now and sign out all other devices.",
    ],
  }))

interface Removed extends Notice {
  /** Labels of the credentials that were removed from a never-verified account. */
  readonly removed: ReadonlyArray<string>
}

/** Notifies the owner of an address that a never-verified account was returned to them. `kept`: paragraphs about what the account keeps. */
export const accountReclaimed = ({
  email,
  service,
  removed,
  kept,
  hasNewPassword,
}: Removed & { readonly kept: ReadonlyArray<string>; readonly hasNewPassword: boolean }): Text =>
  compose(service, (name) => ({
    subject: hasNewPassword ? `The password of your ${name} account was changed` : `Your ${name} account was secured`,
    paragraphs: [
      `You proved that ${oneLine(email)} is your address. The ${name} account with this address was set up before the address was verified, possibly by another person. All its sessions were ended.`,
      ...(removed.length === 0 ? [] : [`Removed from the account: ${removed.join(", ")}.`]),
      hasNewPassword
        ? "The account has the new password that you chose."
        : "The account has no password now. You can set one with a password reset.",
      ...kept,
    ],
  }))

/**
 * Lists the credentials of an account to the owner of its address: another user may have signed up with the address or changed to it. The
 * advice follows what `/reset-password` removes: accounts that are not second factors.
 */
export const addressProved = ({ email, service, credentials }: Notice & { readonly credentials: ReadonlyArray<string> }): Text =>
  compose(service, (name) => ({
    subject: `You signed in to a ${name} account for the first time with this address`,
    paragraphs: [
      `You proved that ${oneLine(email)} is your address. The ${name} account with this address was set up before you proved it, and has these ways to sign in: ${credentials.join(", ")}.`,
      "If you did not set them up, another person did. Reset the password and choose to remove all linked accounts and phone numbers: this also signs out all devices.",
      `A reset keeps passkeys and authenticator apps. Sign in with the new password and remove the passkeys that are not yours. If you are asked for a code of an authenticator app that is not yours, contact the people who run ${name}.`,
    ],
  }))

/** Lists the credentials that the verification of an address removed. */
export const credentialsRemoved = ({ email, service, removed }: Removed): Text =>
  compose(service, (name) => ({
    subject: `Ways to sign in to your ${name} account were removed`,
    paragraphs: [
      `You verified ${oneLine(email)}. The ${name} account with this address had credentials that were added before, possibly by another person.`,
      `Removed from the account: ${removed.join(", ")}. If you need any of them, add them again.`,
      "If you did not choose the account's password, reset it now and sign out all other devices.",
    ],
  }))

/** Notifies a user of a new linked account. Does not name the account: other people may read the mailbox. */
export const accountLinked = (provider: string, service?: string): Text =>
  compose(service, (name) => ({
    subject: `An account at another service was linked to your ${name} account`,
    paragraphs: [
      `An account at another service (${provider}) was linked to your ${name} account. You can now sign in with it.`,
      "If you did not link it, another person has access to your account: remove the linked account now and sign out all other devices.",
    ],
  }))

/** A duration in words. */
export const durationText = (seconds: number): string => {
  if (seconds % 86_400 === 0) return counted(seconds / 86_400, "day")
  return seconds % 60 === 0 ? counted(seconds / 60, "minute") : counted(seconds, "second")
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`

/** A paragraph of text, or a link with its label. */
type Paragraph = string | { readonly label: string; readonly link: string }

/** Renders a mail from the service as text and HTML. Modules use it for their own mails. */
export const compose = (
  service = "Sallyport",
  write: (service: string) => { readonly subject: string; readonly paragraphs: ReadonlyArray<Paragraph> },
): Text => {
  const name = oneLine(service)
  const { subject, paragraphs } = write(name)
  const title = oneLine(subject)
  return {
    subject: title,
    text: `${[...paragraphs.map(inText), `-- \n${name}`].join("\n\n")}\n`,
    html: page(title, [...paragraphs.map(inHtml), `<p style="color:#666">${escaped(name)}</p>`]),
  }
}

const inText = (paragraph: Paragraph) => (typeof paragraph === "string" ? paragraph : `${paragraph.label}:\n${paragraph.link}`)

const inHtml = (paragraph: Paragraph) => {
  if (typeof paragraph === "string") return `<p>${escaped(paragraph)}</p>`
  const link = escaped(paragraph.link)
  return `<p><a href="${link}">${escaped(paragraph.label)}</a></p>\n<p style="color:#666;word-break:break-all">${link}</p>`
}

const page = (title: string, body: ReadonlyArray<string>) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(title)}</title></head>
<body style="font-family:sans-serif;line-height:1.5;max-width:36em;margin:2em auto;padding:0 1em">
${body.join("\n")}
</body>
</html>
`

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

/** Removes line breaks: in a subject, they would start another header. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim()

/** `j…@example.com`: enough to recognise one's own address. */
const hint = (email: string) => {
  const [first = ""] = email
  return oneLine(`${first}…${email.slice(email.lastIndexOf("@")).slice(0, 100)}`)
}
