import { DateTime, Duration, Effect, Record } from "effect"
import { compose, type Text } from "../../domain/mail/composing.ts"
import type { Message } from "../../domain/mail/message.ts"
import type { Samples } from "../../domain/mail/samples.ts"
import { type Language, phrase, Texts } from "../../domain/ports/texts.ts"
import { Settings } from "../../domain/settings.ts"
import { escaped } from "../../domain/values/html.ts"

/** The files of a preview: their paths, with `/`, and their contents. */
export type Preview = ReadonlyMap<string, string>

/** These mails in these languages as HTML and text, every short message, and an index page. */
export const preview = Effect.fnUntraced(function* makePreview(mails: Samples, tags: ReadonlyArray<string>) {
  const { branding, links, public_url } = yield* Settings
  const { language: languageFor } = yield* Texts
  const time = yield* DateTime.now
  const messages = Object.entries(yield* written(mails))
  const files = new Map<string, string>()
  const subjects: Array<readonly [path: string, subject: string, language: Language]> = []

  for (const tag of tags) {
    const language = yield* languageFor([tag])
    for (const [name, message] of messages) {
      const mail = compose(message, { language, branding, links, time, browser: { browser: "Firefox", system: "Windows" } })
      files.set(`${tag}/${name}.html`, mail.html)
      files.set(`${tag}/${name}.txt`, withSubject(mail))
      subjects.push([`${tag}/${name}`, mail.subject, language])
    }
    const sms = phrase("sms.code", { code: "490154", service: branding.name, duration: Duration.minutes(5) })
    files.set(`${tag}/sms_code.txt`, `${language.text(sms)}\n\n@${new URL(public_url).hostname} #490154\n`)
  }
  files.set("index.html", index(tags, subjects))
  return files as Preview
})

/** The mails with the links of the configuration. */
export const written = (mails: Samples) =>
  Effect.all(Record.map(mails, (mail): Effect.Effect<Message, never, Settings> => (Effect.isEffect(mail) ? mail : Effect.succeed(mail))))

const withSubject = ({ subject, text }: Text) => `Subject: ${subject}\n\n${text}`

const index = (tags: ReadonlyArray<string>, subjects: ReadonlyArray<readonly [path: string, subject: string, language: Language]>) => {
  const row = (path: string, subject: string, { tag, dir }: Language) =>
    `<li><a href="${path}.html" lang="${tag}" dir="${dir}">${escaped(subject)}</a> (<a href="${path}.txt">text</a>)</li>`
  const list = (tag: string) =>
    `<h2 id="${tag}">${tag}</h2>\n<ul>\n${subjects
      .filter(([path]) => path.startsWith(`${tag}/`))
      .map((subject) => row(...subject))
      .join("\n")}\n<li><a href="${tag}/sms_code.txt">SMS</a></li>\n</ul>`
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Mails</title></head>
<body style="margin:2rem auto;max-width:50rem;padding:0 1rem;font-family:system-ui,sans-serif;line-height:1.6">
<h1>Mails</h1>
<p>${tags.map((tag) => `<a href="#${tag}">${tag}</a>`).join(" · ")}</p>
${tags.map(list).join("\n")}
</body>
</html>
`
}
