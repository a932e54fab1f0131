import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { Console, Effect, Layer } from "effect"
import { Settings } from "../../domain/settings.ts"
import type { Configuration } from "../config/load.ts"
import { preview } from "../mail/preview.ts"
import { stop } from "../process/stop.ts"
import { makeLanguages } from "../texts/languages.ts"
import * as MailTexts from "../texts/mail-texts.ts"

/** Writes every mail in every language to a folder, and prints the path of the index page. */
export const writePreview = Effect.fnUntraced(function* writePreview({ settings, texts, owned }: Configuration, folder: string) {
  const tags = makeLanguages(texts, owned.texts).list.map(({ tag }) => tag)
  const files = yield* preview(owned.mails, tags).pipe(
    Effect.provide([Layer.succeed(Settings, settings), MailTexts.layer(texts, owned.texts)]),
  )
  yield* Effect.tryPromise({
    try: () => Promise.all(Array.from(files, ([path, content]) => write(join(folder, path), content))),
    catch: (error) => stop(`The mails cannot be written: ${(error as Error).message}`),
  })
  yield* Console.log(`${files.size - 1} mails and messages in ${tags.length} languages: ${resolve(folder, "index.html")}`)
})

const write = async (path: string, content: string) => {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}
