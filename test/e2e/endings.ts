import { afterAll } from "vitest"

type Ending = () => unknown

const endings: Array<Ending> = []

/** Runs a function at the end of the test file, even after a failure. The functions run in the reverse order of their registration. */
export const atEnd = (ending: Ending): void => {
  endings.push(ending)
}

afterAll(async () => {
  const faults: Array<unknown> = []
  for (const ending of endings.splice(0).reverse()) {
    try {
      await ending()
    } catch (fault) {
      faults.push(fault)
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, "something was left behind")
})
