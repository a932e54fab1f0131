import { storeLayer, storeName } from "../../stores.ts"
import { storeSuite, sweepSuite } from "./store.suite.ts"

storeSuite(storeName, storeLayer)
sweepSuite(storeName, storeLayer)
