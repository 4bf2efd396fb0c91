BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'kifu.work','1: results, dead letters, cursor, identity','2026-11-26 05:08:00.620281+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'kifu.work','2: rounds, ends, checksums','2026-11-26 05:08:00.620615+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'kifu.work','3: analyses','2026-11-26 05:08:00.621162+00:00');
INSERT INTO "_sqlite_migrations" VALUES(4,'kifu.work','4: self-audit','2026-11-26 05:08:00.621332+00:00');
CREATE TABLE "analysis" (
   "id" TEXT PRIMARY KEY,
   "game" TEXT,
   "version" INTEGER,
   "hash" TEXT,
   "kind" TEXT,
   "parameters" TEXT,
   "viewpoint" TEXT,
   "revision" TEXT,
   "queue" TEXT,
   "asker" TEXT,
   "asked_at" INTEGER,
   "status" TEXT,
   "done" INTEGER,
   "planned" INTEGER,
   "cause" TEXT,
   "data" TEXT,
   "checksum" INTEGER
);
INSERT INTO "analysis" VALUES('01a21640-e1fc-73e1-abec-de358fa7b1d9','01970000-0000-7000-8000-00000000000c',5,'abababababababababababababababababababababababababababababababab','timeline','{}','record','2','asked','01970000-0000-7000-8000-00000000000a',1795669680636,'done',0,0,'','{"standings":["あ"]}',3618556594);
INSERT INTO "analysis" VALUES('01a21640-e1fc-73e1-abec-de3600c034f6','01970000-0000-7000-8000-00000000000c',5,'abababababababababababababababababababababababababababababababab','luck','{}','record','2','asked','01970000-0000-7000-8000-00000000000a',1795669680636,'running',1,4,'',NULL,0);
CREATE TABLE "cursor" (
   "position" INTEGER,
   "hash" TEXT
);
INSERT INTO "cursor" VALUES(7,'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd');
CREATE TABLE "dead_letter" (
   "game" TEXT,
   "kind" TEXT,
   "version" INTEGER,
   "cause" TEXT,
   "attempts" INTEGER,
   "at" INTEGER,
   PRIMARY KEY ("game", "kind")
);
INSERT INTO "dead_letter" VALUES('01970000-0000-7000-8000-00000000000c','snapshot',6,'a cause',1,1795669680636);
CREATE TABLE "difference" (
   "subject" TEXT,
   "kind" TEXT,
   "why" TEXT,
   "at" INTEGER,
   PRIMARY KEY ("subject", "kind", "why")
);
CREATE TABLE "effort" (
   "game" TEXT,
   "asker" TEXT,
   "queue" TEXT,
   "at" INTEGER,
   "seconds" REAL
);
INSERT INTO "effort" VALUES('01970000-0000-7000-8000-00000000000c','01970000-0000-7000-8000-00000000000a','asked',1795669680636,0.5);
CREATE TABLE "identity" (
   "id" TEXT
);
INSERT INTO "identity" VALUES('8268be130bba4d50a47b18613cc96997');
CREATE TABLE "piece" (
   "key" TEXT PRIMARY KEY,
   "game" TEXT,
   "data" TEXT,
   "checksum" INTEGER
);
INSERT INTO "piece" VALUES('piece-1','01970000-0000-7000-8000-00000000000c','{"a":[1,"あ"]}',32527054);
CREATE TABLE "result" (
   "game" TEXT,
   "version" INTEGER,
   "kind" TEXT,
   "parameters" TEXT,
   "revision" INTEGER,
   "hash" TEXT,
   "created_at" INTEGER,
   "data" TEXT, "round" INTEGER NOT NULL DEFAULT 0, "over" INTEGER NOT NULL DEFAULT 0, "checksum" INTEGER NOT NULL DEFAULT 0,
   PRIMARY KEY ("game", "version", "kind", "parameters", "revision")
);
INSERT INTO "result" VALUES('01970000-0000-7000-8000-00000000000c',5,'snapshot','',2,'abababababababababababababababababababababababababababababababab',1795669680636,'{"game":"01970000-0000-7000-8000-00000000000c","version":5,"hash":"abababababababababababababababababababababababababababababababab","ruleset":"kahuna","revision":2,"scores":[1,2],"lines":[],"outcome":null,"irregular":{},"rules":[]}',1,0,3251262926);
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX "idx_dead_letter_at_game"
    ON "dead_letter" ("at", "game");
CREATE UNIQUE INDEX "idx_analysis_game_version_kind_parameters_viewpoint_revision"
    ON "analysis" ("game", "version", "kind", "parameters", "viewpoint", "revision");
CREATE INDEX "idx_analysis_game_asked_at_id"
    ON "analysis" ("game", "asked_at", "id");
CREATE INDEX "idx_analysis_status"
    ON "analysis" ("status");
CREATE INDEX "idx_piece_game"
    ON "piece" ("game");
CREATE INDEX "idx_effort_game_at"
    ON "effort" ("game", "at");
CREATE INDEX "idx_effort_asker_at"
    ON "effort" ("asker", "at");
CREATE INDEX "idx_effort_queue_at"
    ON "effort" ("queue", "at");
COMMIT;
PRAGMA user_version=4;
