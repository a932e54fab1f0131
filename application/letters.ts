/** A letter without its receiver. */
export interface Text {
  readonly subject: string
  readonly text: string
  readonly html: string
}

// No letter repeats a name: whoever signs up with a stranger's address would have us mail
// their words to a stranger.

/** A letter that asks its receiver to follow a link. */
interface WithLink {
  readonly link: string
  readonly service?: string
}

/** A letter that tells the owner of an account what has happened to it. */
interface Notice {
  /** The address the account has, or had before. */
  readonly email: string
  readonly service?: string
}

/** Asks for proof that the address of an account is its owner's. */
export const verifyEmail = ({ link, service }: WithLink): Text =>
  compose(service, (name) => ({
    subject: `Verify your e-mail address for ${name}`,
    paragraphs: [
      `Please confirm that this address belongs to your ${name} account:`,
      { label: "Verify e-mail address", link },
      "The link is valid for one hour.",
      `If you have no account at ${name}, somebody entered your address by mistake. You can ignore this letter.`,
    ],
  }))

/** Lets the owner of an address choose a new password. */
export const resetPassword = ({ link, service }: WithLink): Text =>
  compose(service, (name) => ({
    subject: `Reset your ${name} password`,
    paragraphs: [
      `Somebody asked to reset the password of your ${name} account. If it was you, choose a new one here:`,
      { label: "Choose a new password", link },
      "The link is valid for one hour and works once.",
      "If it was not you, ignore this letter: your password stays as it is.",
    ],
  }))

/** Goes to the new address, which becomes the account's only when its owner agrees. */
export const confirmEmailChange = ({ link, service }: WithLink): Text =>
  compose(service, (name) => ({
    subject: `Confirm your new e-mail address for ${name}`,
    paragraphs: [
      `Please confirm that this is to be the address of your ${name} account from now on:`,
      { label: "Use this address", link },
      "The link is valid for one hour.",
      `If you did not ask for this, ignore this letter: nothing changes.`,
    ],
  }))

/** Goes to the address the account had before, and only hints at the new one: the old mailbox may be read by others now. */
export const emailChanged = ({ email, newEmail, service }: Notice & { readonly newEmail: string }): Text =>
  compose(service, (name) => ({
    subject: `The e-mail address of your ${name} account was changed`,
    paragraphs: [
      `The address of your ${name} account is no longer ${oneLine(email)} but ${hint(newEmail)}. Letters about it will go there.`,
      `If it was not you, somebody else has access to your account: contact the people who run ${name}.`,
    ],
  }))

/** Tells the owner of an account that its password is another one. */
export const passwordChanged = ({ email, service }: Notice): Text =>
  compose(service, (name) => ({
    subject: `The password of your ${name} account was changed`,
    paragraphs: [
      `The password of the ${name} account ${oneLine(email)} was changed.`,
      "If it was not you, reset your password now and sign out all other devices.",
    ],
  }))

/** Tells a user that an account at another service can sign in now. It does not name the account: other people may read the mailbox. */
export const accountLinked = (provider: string, service?: string): Text =>
  compose(service, (name) => ({
    subject: `An account at another service was linked to your ${name} account`,
    paragraphs: [
      `An account at another service (${provider}) was linked to your ${name} account. Its owner can sign in to your account now.`,
      "If this was not you, remove that account now and sign out all other devices.",
    ],
  }))

/** How long something is valid, in words. */
export const span = (seconds: number): string => {
  if (seconds % 86_400 === 0) return counted(seconds / 86_400, "day")
  return seconds % 60 === 0 ? counted(seconds / 60, "minute") : counted(seconds, "second")
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`

/** A paragraph of words, or a link to follow. */
type Paragraph = string | { readonly label: string; readonly link: string }

/** Writes a letter in the service's name, in text and in HTML. Modules make their own letters with it. */
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

/** A line break in a subject would begin another header. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim()

/** `j…@example.com`: enough to recognise one's own address. */
const hint = (email: string) => {
  const [first = ""] = email
  return oneLine(`${first}…${email.slice(email.lastIndexOf("@")).slice(0, 100)}`)
}
