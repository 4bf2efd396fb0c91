BEGIN TRANSACTION;
CREATE TABLE cursor (
    number integer primary key,
    endpoint text not null references endpoint on delete cascade,
    position integer not null,
    hash text not null,
    until integer
) strict;
INSERT INTO "cursor" VALUES(1,'w1',9,'0101010101010101010101010101010101010101010101010101010101010101',NULL);
CREATE TABLE delivery (
    number integer primary key autoincrement,
    endpoint text not null references endpoint on delete cascade,
    message text not null,
    type text not null,
    game text not null,
    first integer not null,
    last integer not null,
    hash text not null,
    at integer not null,
    made_at integer not null,
    state text not null default 'waiting',
    due integer not null,
    attempts integer not null default 0,
    tried text not null default '[]'
) strict;
INSERT INTO "delivery" VALUES(1,'w1','msg_27a8c95959edc85b108984e546d18c9c','game.appended','01970000-0000-7000-8000-00000000000c',1,4,'efefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef',1000,2000,'waiting',2050,1,'[]');
INSERT INTO "delivery" VALUES(2,'w1','msg_2b43c71fd2382d5f5a7b307ba6b0544a','webhook.test','',0,0,'',3000,3000,'waiting',3000,0,'[]');
CREATE TABLE endpoint (
    id text primary key,
    disabled_at integer,
    why text,
    paused_until integer not null default 0,
    succeeded_at integer not null default 0
) strict;
INSERT INTO "endpoint" VALUES('w1',NULL,NULL,0,0);
CREATE INDEX cursor_of on cursor (endpoint);
CREATE INDEX delivery_of on delivery (endpoint, number);
CREATE INDEX waiting on delivery (endpoint, game, number) where state = 'waiting';
CREATE INDEX failed on delivery (endpoint) where state = 'failed';
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('delivery',2);
COMMIT;
PRAGMA user_version=1;
