import { ofService, servicePort, type Write } from "./template.ts"

export type { Write } from "./template.ts"

interface Lines {
  readonly mount: string
  readonly guard: string
}

const behindProxy = `Let your proxy send /api/auth/ and /auth/ to http://127.0.0.1:${servicePort}, and all other paths to your application.`

/** The files of a server: one, beside the configuration. */
export const serverFiles =
  (mounted: (config: string, isTyped: boolean) => string, { mount, guard }: Lines): Write =>
  ({ base, extension, importEnding }, { layout }) => {
    const isMounted = layout === "mount"
    const text = isMounted ? mounted(`./sallyport.config${importEnding}`, extension === "ts") : ofService
    const line = (code: string) => `Your server: ${code.replace(`"./auth"`, `"./auth${importEnding}"`)}`
    return {
      files: [{ path: `${base}auth.${extension}`, text }],
      steps: [...(isMounted ? [line(mount)] : [behindProxy]), line(guard)],
    }
  }

/** An application that is in no framework of these: the service alone. */
export const separate: Write = () => ({ files: [], steps: [behindProxy] })
