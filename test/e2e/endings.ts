import { afterAll } from "vitest"

type Ending = () => unknown

const endings: Array<Ending> = []

/** Runs when the test file is over, whether it passed or not; what began last ends first. */
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
