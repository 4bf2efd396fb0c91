import { followPage } from "./base/following.js";
import { localise } from "./base/times.js";

localise(document);
followPage(document);
