import { send } from "./http.ts"

const clients = 12

/** Reads sessions and signs users in without a pause; returns the number of each answer, once it is stopped. */
export const startLoad = (port: number, cookie: string | undefined, credentials: object) => {
  const answers = new Map<string, number>()
  const count = (answer: string) => answers.set(answer, (answers.get(answer) ?? 0) + 1)
  let isOver = false
  const client = async (index: number) => {
    const isReader = index % 3 > 0
    while (!isOver) {
      const asked = isReader
        ? send(port, "/api/auth/get-session", undefined, { cookie })
        : send(port, "/api/auth/sign-in/email", credentials, {})
      await asked.then(
        ({ status, body }) => count(`${status}${body.user ? "" : ` ${body.error?.code}`}`),
        (fault: Error) => count(fault.message),
      )
    }
  }
  const running = Promise.all(Array.from({ length: clients }, (_, index) => client(index)))
  return {
    finish: async () => {
      isOver = true
      await running
      return Object.fromEntries(answers)
    },
  }
}
