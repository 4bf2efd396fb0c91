import { localise } from "./base/times.js";

localise(document);
