/** All that is tried on drawn pages, by one process: a document of its own costs half a second to load. */
import { after } from "node:test";
import { leave } from "./page.mjs";
import "./corrections.mjs";
import "./games.mjs";
import "./keypad.mjs";
import "./opening.mjs";
import "./story.mjs";
import "./template.mjs";

after(leave);
