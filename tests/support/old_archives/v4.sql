PRAGMA application_id = 1399023723;
BEGIN;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'archive','m001_first','2026-11-23 14:36:16.957505+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'archive','m002_phases','2026-11-23 14:36:16.969988+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'archive','m003_marks','2026-11-23 14:36:16.991368+00:00');
INSERT INTO "_sqlite_migrations" VALUES(4,'archive','m004_evidence','2026-11-23 14:36:17.008405+00:00');
CREATE TABLE acts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        act TEXT NOT NULL CHECK (act IN ('withdraw', 'restore', 'merge', 'split', 'erase')),
        source_id INTEGER REFERENCES sources (id),
        player_id INTEGER REFERENCES players (id),
        into_id INTEGER REFERENCES players (id),
        author TEXT NOT NULL,
        made_at TEXT NOT NULL,
        why TEXT NOT NULL,
        facts TEXT
    ) STRICT;
CREATE TABLE calls (
        deal_id INTEGER NOT NULL REFERENCES deals (id) ON DELETE CASCADE,
        n INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        call TEXT NOT NULL,
        PRIMARY KEY (deal_id, n)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "calls" VALUES(1,1,1,'pass');
INSERT INTO "calls" VALUES(1,2,2,'play');
INSERT INTO "calls" VALUES(1,3,3,'pass');
INSERT INTO "calls" VALUES(1,4,4,'pass');
CREATE TABLE copies (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        deal_id INTEGER NOT NULL REFERENCES records (id) ON DELETE CASCADE,
        source_id INTEGER NOT NULL REFERENCES sources (id),
        number INTEGER NOT NULL CHECK (number > 0),
        own_id TEXT,
        line INTEGER,
        end_line INTEGER,
        hash BLOB NOT NULL CHECK (length(hash) = 32),
        play_hash BLOB,
        head TEXT,
        record BLOB
    ) STRICT;
CREATE TABLE corrections (
        id INTEGER PRIMARY KEY,
        deal_id INTEGER NOT NULL REFERENCES records (id) ON DELETE CASCADE,
        author TEXT NOT NULL,
        made_at TEXT NOT NULL,
        why TEXT NOT NULL,
        before TEXT,
        after TEXT NOT NULL
    ) STRICT;
INSERT INTO "corrections" VALUES(1,4,'Dora','2026-11-15','misread',NULL,'{"game":"Cem wenz"}');
CREATE TABLE deals (
        id INTEGER PRIMARY KEY REFERENCES records (id) ON DELETE CASCADE,
        viewer INTEGER GENERATED ALWAYS AS (id) VIRTUAL,
        session_id INTEGER NOT NULL REFERENCES sessions (id),
        number INTEGER NOT NULL,
        ruleset_id INTEGER REFERENCES rulesets (id),
        engine TEXT NOT NULL,
        contract TEXT,
        suit TEXT,
        called TEXT,
        tout INTEGER CHECK (tout IN (0, 1)),
        words TEXT,
        bid INTEGER,
        round TEXT,
        players INTEGER,
        dealer INTEGER,
        declarer INTEGER,
        partner INTEGER,
        loser INTEGER,
        knocks INTEGER,
        doubles INTEGER,
        won INTEGER CHECK (won IN (0, 1)),
        side_points INTEGER,
        side_tricks INTEGER,
        schneider INTEGER CHECK (schneider IN (0, 1)),
        schwarz INTEGER CHECK (schwarz IN (0, 1)),
        runners INTEGER,
        runners_paid INTEGER CHECK (runners_paid IN (0, 1)),
        base INTEGER,
        schneider_amount INTEGER,
        schwarz_amount INTEGER,
        runners_amount INTEGER,
        multiplier INTEGER,
        price INTEGER,
        pot INTEGER,
        verdict TEXT NOT NULL CHECK (verdict IN ('agrees', 'differs', 'undecidable', 'unplayable')),
        reason TEXT,
        missing TEXT,
        state TEXT NOT NULL
    , cut TEXT, rounds TEXT, state_after TEXT, marks INTEGER, chalk INTEGER) STRICT;
INSERT INTO "deals" VALUES(1,1,1,1,'1','rufspiel','G','GA',0,NULL,NULL,NULL,4,4,2,4,NULL,1,1,1,75,5,0,0,6,1,20,0,0,60,4,320,0,'differs','Price: the record states 160, the rules give 320.',NULL,'{"totals":[0,0,0,0],"marks":[0,0,0,0]}',NULL,'','{"dealer":0,"totals":[-320,320,-320,320],"marks":[0,0,0,0],"list_deals":1}',NULL,NULL);
INSERT INTO "deals" VALUES(2,1,2,1,'1','none',NULL,NULL,0,NULL,NULL,NULL,4,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,0,0,'agrees',NULL,NULL,'{"dealer":0,"totals":[-320,320,-320,320],"marks":[0,0,0,0],"list_deals":1}',NULL,'','{"dealer":1,"totals":[-320,320,-320,320],"marks":[0,0,0,0],"list_deals":2}',NULL,NULL);
INSERT INTO "deals" VALUES(3,1,3,1,'1','none',NULL,NULL,0,NULL,NULL,NULL,4,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,0,0,'agrees',NULL,NULL,'{"dealer":1,"totals":[-320,320,-320,320],"marks":[0,0,0,0],"list_deals":2}',NULL,'','{"dealer":1,"totals":[-320,320,-320,320],"marks":[0,0,0,0],"list_deals":3}',NULL,NULL);
INSERT INTO "deals" VALUES(4,1,4,1,'1','wenz',NULL,NULL,0,NULL,NULL,NULL,4,2,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,'unplayable','Exchange 1 in the Wenz: Anna > Cem (1 card), where nothing is due.','["the tricks"]','{"dealer":1,"totals":[-320,320,-320,320],"marks":[0,0,0,0],"list_deals":3}',NULL,'','{"dealer":2,"stated_totals":[-370,270,-170,270],"marks":[0,0,0,0],"list_deals":4,"settled":[-360,280,-200,280]}',NULL,NULL);
INSERT INTO "deals" VALUES(5,1,5,1,'1','solo','E',NULL,0,NULL,NULL,NULL,4,3,4,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,'differs','The stated payments -70, -50, -50, 150 do not sum to zero, -20 is left over.','["the tricks"]','{"dealer":2,"stated_totals":[-370,270,-170,270],"marks":[0,0,0,0],"list_deals":4,"settled":[-360,280,-200,280]}',NULL,'','{"dealer":3,"stated_totals":[-440,220,-220,420],"marks":[0,0,0,0],"list_deals":5,"settled":[-430,230,-250,430]}',NULL,NULL);
CREATE TABLE doubles (
        deal_id INTEGER NOT NULL REFERENCES deals (id) ON DELETE CASCADE,
        n INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        word TEXT NOT NULL,
        trick INTEGER,
        card INTEGER,
        PRIMARY KEY (deal_id, n)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "doubles" VALUES(1,1,2,'knock',NULL,NULL);
INSERT INTO "doubles" VALUES(1,2,3,'kontra',1,2);
CREATE TABLE events (
        deal_id INTEGER NOT NULL REFERENCES deals (id) ON DELETE CASCADE,
        n INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        verb TEXT NOT NULL,
        moment TEXT,
        arg TEXT,
        by_seat INTEGER,
        PRIMARY KEY (deal_id, n)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE exchanges (
        deal_id INTEGER NOT NULL REFERENCES deals (id) ON DELETE CASCADE,
        n INTEGER NOT NULL,
        giver INTEGER,
        taker INTEGER,
        cards TEXT NOT NULL,
        PRIMARY KEY (deal_id, n)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "exchanges" VALUES(4,1,1,3,'E7');
CREATE TABLE findings (
        id INTEGER PRIMARY KEY,
        source_id INTEGER NOT NULL REFERENCES sources (id),
        deal_id INTEGER REFERENCES deals (id) ON DELETE CASCADE,
        rule TEXT NOT NULL,
        severity TEXT NOT NULL CHECK (severity IN ('error', 'warning', 'note')),
        message TEXT NOT NULL,
        line INTEGER,
        moment TEXT
    , deal_number INTEGER) STRICT;
INSERT INTO "findings" VALUES(1,1,1,'stated-price','error','price: the record states 160, the rules give 320',10,NULL,1);
INSERT INTO "findings" VALUES(2,1,1,'stated-payments','error','payments: the record states -160, 160, -160, 160, the rules give -320, 320, -320, 320',10,NULL,1);
INSERT INTO "findings" VALUES(3,1,3,'dealer-order','note','Anna deals, but it was the turn of Ben',42,NULL,3);
INSERT INTO "findings" VALUES(4,1,4,'exchange-order','error','exchange 1 in the Wenz: Anna > Cem (1 card), where nothing is due',47,NULL,4);
INSERT INTO "findings" VALUES(5,1,5,'stated-sum','error','the stated payments -70, -50, -50, 150 do not sum to zero, -20 is left over',56,NULL,5);
CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, alias_of INTEGER REFERENCES players (id)) STRICT;
INSERT INTO "players" VALUES(1,'Anna',NULL);
INSERT INTO "players" VALUES(2,'Ben',NULL);
INSERT INTO "players" VALUES(3,'Cem',NULL);
INSERT INTO "players" VALUES(4,'Dora',NULL);
CREATE TABLE records (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session_id INTEGER NOT NULL REFERENCES sessions (id),
        number INTEGER NOT NULL,
        own_id TEXT,
        source_id INTEGER NOT NULL REFERENCES sources (id),
        line INTEGER,
        end_line INTEGER,
        hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
        play_hash BLOB CHECK (length(play_hash) = 8),
        record BLOB NOT NULL
    ) STRICT;
INSERT INTO "records" VALUES(1,1,1,'list-3/1',1,10,36,X'C4800E0E051AD5900985B10386DA94FDB7B1BA7F7F7AF10D4D9F2F0EF86DDCF8',X'217C84FBB5448E64',X'D5953B0AC3301044AFA20B18F2219655AA0809B8706154051D20902E697DF7CC8CD68A4C728114067925C38EF07BFB9F6D1B8F8FFBF3D51DD567E552075A36071324DC49598ED264324E835C19C86791AC7E6CB894FAF5722FE08D92EAC09D895606B4B327D64017C89E438BEC4DFDE60DB80CE28C5EEC3A11AC486B956D97F5076C9EACB45EBE683D387E6FC4E696CF99393811AE915EB13980E04C903863904AECA27BCE9444EDE046466695A8F85622625B27278D1E14020D16743791E6FA89BE3F3568F615B87DBFDB20D7B1C0675DE4657903');
INSERT INTO "records" VALUES(2,1,2,NULL,1,38,40,X'419CE937BD4A91FEBD1B73644FABEC2D0C6CC6198899B2A03D1AF6E6DFBD7EB2',NULL,X'1B9ACE46CA875035D0D49D07CEED00');
INSERT INTO "records" VALUES(3,1,3,NULL,1,42,45,X'ED65DC727A4A97E8D7CE01F69BE1702564C84A87070FAA33CF2AAA194280BD86',NULL,X'1B9ACE46CA875035D0D49D07CAEDA04C0B76604846AA427262514AB142796A512A9028D153AA0500');
INSERT INTO "records" VALUES(4,1,4,NULL,1,47,54,X'7CEBE55DBF345D1E4DB785733DE2198289AC72B97837C3B035259A2F4B343360',NULL,X'1B9ACE46CA87104968E206AA5180267FE4721A640EB09806CA5A8132204A5A454A6B484941D71418DB406C08A1636BB1572460D7C02B13787898C2AB95DCCCE222500103AB5D301C8A5EDD808D85FA1BDD5833B8B189E945A9A92053919D6C02742A101B1A816950D597098E264870D7C6D60200');
INSERT INTO "records" VALUES(5,1,5,NULL,1,56,60,X'0EAB29709428C89A6C132E9417B40901A041D1AC37DB8924F717F3EB1443F78F',NULL,X'1B9ACE46CA87106168E206C92AC0F3032241222528A4F8D6350746A929041B9A1AC4D6D60200');
CREATE TABLE rulesets (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        digest TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        unit TEXT NOT NULL,
        rules TEXT NOT NULL,
        overrides TEXT,
        house TEXT NOT NULL
    , faces TEXT, incomplete TEXT) STRICT;
INSERT INTO "rulesets" VALUES(1,'pub','e1313de82104','Bavarian Schafkopf, as in the pub','ct','pub','{"tariff":"10/20/50"}','{"seats":4,"deck":32,"unit":"ct","contracts":["rufspiel","bettel","farbgeier","farbwenz","geier","wenz","solo","sie","ramsch"],"tariff":"10/20/50","price":{},"runners_from":{"rufspiel":3,"solo":3,"wenz":2,"ramsch":0,"bettel":0,"sie":0,"farbwenz":2,"geier":2,"farbgeier":2,"kaiser":2,"eisenbahner":2,"hochzeit":3,"kreuz":3},"knock":"anyone","stoss":{"until":"second-card","by":"defence","answer":"declarer","limit":2},"levels":{"win":61,"schneider":91,"schneider_against":90,"tie":"lost"},"tout":"base","sie":"base","call":{"run_away":4,"void":"no","ten":"no","king":"no","announced":true},"solo_needs_suit":true,"trumps":"H","all_pass":"ramsch","ramsch":{"tie":["tricks","taken-trumps","taken-trump"],"virgin":"double-all","march":"no","march_price":"ramsch","price":null,"virgin_is":"no-trick","announce":0,"double":"no","bonus_under":0},"bettel":{"trumps":"none","beat":false,"lead":"forehand","open":"no"},"stock":{"amount":0,"won_by":[],"cap":null,"lost":"doubled"},"hand_size":null,"direction":"clockwise","rank":{},"outbid":"may-pass","wishes":false,"bids":null,"muss":null,"hochzeit":{"when":"no","refused":"thrown-in"},"faces":"german","auction":"ranks","lengths":null,"blind_runners":false,"surrender":0,"marks":null,"du":false,"hand":"no","klopfen":false,"hausbock":false,"bock":{"on":[],"mode":"queue","by":"aces","thrown_in":0},"kreuz":{"on":[],"mode":"queue","by":"aces","thrown_in":0},"schieber":{"on":[],"mode":"queue","by":"aces","thrown_in":0},"teufel":{"on":[],"mode":"queue","by":"aces","thrown_in":0},"cap":null,"runners_claim":"before-next-deal","list":0,"sitters":[],"sitter_pays":false,"substitute":"own","table":{},"standings":[],"consequences":{}}','german',NULL);
CREATE TABLE rulings (
        id INTEGER PRIMARY KEY,
        deal_id INTEGER NOT NULL REFERENCES records (id) ON DELETE CASCADE,
        author TEXT NOT NULL,
        made_at TEXT NOT NULL,
        why TEXT NOT NULL,
        payments TEXT NOT NULL,
        cite TEXT
    ) STRICT;
INSERT INTO "rulings" VALUES(1,4,'Anna','2026-11-16','agreed','[-40,-40,120,-40]','house');
CREATE TABLE seats (
        deal_id INTEGER NOT NULL REFERENCES deals (id) ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        player_id INTEGER NOT NULL REFERENCES players (id),
        place INTEGER,
        dealt TEXT,
        held TEXT,
        declaring INTEGER CHECK (declaring IN (0, 1)),
        points INTEGER,
        tricks INTEGER,
        won INTEGER CHECK (won IN (0, 1)),
        payment INTEGER,
        total INTEGER, marks INTEGER, marks_total INTEGER,
        PRIMARY KEY (deal_id, seat)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "seats" VALUES(1,1,1,1,'E8 H9 H8 G8 HU HK SA SU',NULL,0,30,2,0,-320,-320,NULL,NULL);
INSERT INTO "seats" VALUES(1,2,2,2,'EU G9 SO S9 EK GO GU EO',NULL,1,58,4,1,320,320,NULL,NULL);
INSERT INTO "seats" VALUES(1,3,3,3,'H7 E7 G7 GK GZ EA SK S8',NULL,0,15,1,0,-320,-320,NULL,NULL);
INSERT INTO "seats" VALUES(1,4,4,4,'HO GA HA S7 EZ HZ SZ E9',NULL,1,17,1,1,320,320,NULL,NULL);
INSERT INTO "seats" VALUES(2,1,1,4,NULL,NULL,NULL,NULL,NULL,NULL,0,-320,NULL,NULL);
INSERT INTO "seats" VALUES(2,2,2,1,NULL,NULL,NULL,NULL,NULL,NULL,0,320,NULL,NULL);
INSERT INTO "seats" VALUES(2,3,3,2,NULL,NULL,NULL,NULL,NULL,NULL,0,-320,NULL,NULL);
INSERT INTO "seats" VALUES(2,4,4,3,NULL,NULL,NULL,NULL,NULL,NULL,0,320,NULL,NULL);
INSERT INTO "seats" VALUES(3,1,1,4,NULL,NULL,NULL,NULL,NULL,NULL,0,-320,NULL,NULL);
INSERT INTO "seats" VALUES(3,2,2,1,NULL,NULL,NULL,NULL,NULL,NULL,0,320,NULL,NULL);
INSERT INTO "seats" VALUES(3,3,3,2,NULL,NULL,NULL,NULL,NULL,NULL,0,-320,NULL,NULL);
INSERT INTO "seats" VALUES(3,4,4,3,NULL,NULL,NULL,NULL,NULL,NULL,0,320,NULL,NULL);
INSERT INTO "seats" VALUES(4,1,1,3,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(4,2,2,4,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(4,3,3,1,NULL,NULL,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(4,4,4,2,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(5,1,1,2,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(5,2,2,3,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(5,3,3,4,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(5,4,4,1,NULL,NULL,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE sessions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        source_id INTEGER NOT NULL REFERENCES sources (id),
        line INTEGER,
        event TEXT,
        date TEXT,
        place TEXT,
        recorder TEXT,
        unit TEXT,
        rules TEXT NOT NULL,
        list TEXT,
        origin TEXT,
        licence TEXT,
        url TEXT,
        note TEXT,
        inferred TEXT,
        head TEXT NOT NULL
    , table_name TEXT, judged_by TEXT) STRICT;
INSERT INTO "sessions" VALUES(1,1,1,'Stammtisch','2026-11-14',NULL,'Ben','ct','pub',NULL,NULL,NULL,NULL,NULL,NULL,'{"format":"schafkopf-record/1","event":"Stammtisch","date":"2026-11-14","recorder":"Ben","unit":"ct","rules":"pub","house":{"tariff":"10/20/50"},"players":["Anna","Ben","Cem","Dora"]}',NULL,NULL);
CREATE TABLE sources (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        path TEXT NOT NULL,
        sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
        size INTEGER NOT NULL,
        format TEXT NOT NULL,
        engine TEXT NOT NULL,
        imported_at TEXT NOT NULL,
        deals INTEGER NOT NULL,
        raw BLOB NOT NULL
    , version TEXT, licence TEXT, origin TEXT, time_zone TEXT, withdrawn INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn IN (0, 1)), redacted_sha256 BLOB) STRICT;
INSERT INTO "sources" VALUES(1,'evening.toml',X'1FFCD45324209163388823F9C777EC58ABB22F337291C67F2FD715E2DA626441',1333,'record-toml','1','2026-11-23T14:36:17+00:00',5,X'789C8D944D6FDA401086EFFB2B467B8604D3F015A955696B61890307874B900F1B7B000BBC8BD6EBD234CA7FEFCC1A2FA9924310B2D7AF5F8F671ECFECD6D84A39F80AB2CEF76A7B30A76DDF626E6C711B4981BF51FB9BA95355E54AF248512887A40D07C3713F8AFAD19D6874E95DB993C23647ACF9E2D43C49713AAA67B47CBD9173AD95EC81FC819A4F3FB1E2D32F6395CCC4DE3435477D01A76CB9DD728468703B1CDC8E06125E459B135AD63980109B4D81EA9865A22C583C96B5EB7FE1A4596E8D3EB6D82B5DF80C04D0CFA7710FF1149219245358D0620DC912D239A46BD96B4DF40AF2AC6131837405E90CE2252C56B05843BCEA3C54C03D24138827B0A03F191E21A620146ADA79380332D1937348E81EB91F21798494AC333265E2A04D7E6801715D99504DEE4AA3033238A9BABE7003E6798117747E477B91899DAAF082086CB3AD4F251E61414C4CF3D47E978DFC1EDD0C81031C8C761EBEB3E5258736EB94CBE4D2927957082148A79C7F1A24C2C684A89E8084CA229E44295D761281232831110C50E2960219AF0FAE98218149669D44E89929715B7A50B5A3BE2B6E4EA6D48E739D8C3AC9365AB74D360E2EAA884144E34190D47385EDA39B3EE93DF087B0CCDEB4D4B5857CD306ACDA68949FF669E307453EEC117265A909CF68910EEEE6E320BEB1BB18FC85CEA8FFD214FEA1D1D43BBCB6C437F0CD174F64E072F62DE36C831F163CE252F9105D5699A081A2A9EA7AED059E9EC3CCF4E0BC47966598F29117BDA52A6B8BAA20A146E767F65DCEF00AAF19EF05A5DEBD8D7ED903DE451F5FA3AB9D45E4E0FFE57FC759F3211AB6ABAC0779D9F2F57B87E4177E0495F79900D5CF4A6D8E0662F94972938E5C872F13FF0043AF6CCF','0.0.1',NULL,NULL,NULL,0,NULL);
CREATE TABLE stated (
        deal_id INTEGER PRIMARY KEY REFERENCES deals (id) ON DELETE CASCADE,
        points INTEGER,
        points_against INTEGER,
        seat_points TEXT,
        tricks INTEGER,
        seat_tricks TEXT,
        winners TEXT,
        won INTEGER CHECK (won IN (0, 1)),
        partner INTEGER,
        loser INTEGER,
        virgins TEXT,
        schneider INTEGER CHECK (schneider IN (0, 1)),
        schwarz INTEGER CHECK (schwarz IN (0, 1)),
        runners INTEGER,
        steps TEXT,
        price INTEGER,
        payments TEXT,
        totals TEXT,
        stock INTEGER,
        marks TEXT,
        result TEXT
    ) STRICT;
INSERT INTO "stated" VALUES(1,75,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,6,NULL,160,'[-160,160,-160,160]',NULL,NULL,NULL,NULL);
INSERT INTO "stated" VALUES(4,NULL,NULL,NULL,NULL,NULL,NULL,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'[-50,-50,150,-50]',NULL,NULL,NULL,NULL);
INSERT INTO "stated" VALUES(5,NULL,NULL,NULL,NULL,NULL,NULL,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'[-70,-50,-50,150]',NULL,NULL,NULL,NULL);
CREATE TABLE tricks (
        deal_id INTEGER NOT NULL REFERENCES deals (id) ON DELETE CASCADE,
        trick INTEGER NOT NULL,
        leader INTEGER,
        winner INTEGER,
        points INTEGER,
        cards TEXT NOT NULL,
        PRIMARY KEY (deal_id, trick)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "tricks" VALUES(1,1,1,2,16,'SU EO H7 HA');
INSERT INTO "tricks" VALUES(1,2,2,1,11,'S9 S8 S7 SA');
INSERT INTO "tricks" VALUES(1,3,1,4,17,'HU EU GZ HO');
INSERT INTO "tricks" VALUES(1,4,4,2,16,'SZ G8 GU SK');
INSERT INTO "tricks" VALUES(1,5,2,3,15,'EK EA E9 E8');
INSERT INTO "tricks" VALUES(1,6,3,2,13,'E7 EZ H8 GO');
INSERT INTO "tricks" VALUES(1,7,2,2,13,'SO G7 HZ H9');
INSERT INTO "tricks" VALUES(1,8,2,1,19,'G9 GK GA HK');
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX sessions_source ON sessions (source_id);
CREATE INDEX records_source ON records (source_id);
CREATE INDEX records_session ON records (session_id);
CREATE INDEX records_own_id ON records (own_id) WHERE own_id IS NOT NULL;
CREATE INDEX records_play ON records (play_hash) WHERE play_hash IS NOT NULL;
CREATE INDEX corrections_deal ON corrections (deal_id);
CREATE INDEX rulings_deal ON rulings (deal_id);
CREATE INDEX deals_session ON deals (session_id);
CREATE INDEX deals_ruleset ON deals (ruleset_id);
CREATE INDEX deals_contract_verdict ON deals (contract, verdict);
CREATE INDEX deals_doubtful ON deals (verdict) WHERE verdict <> 'agrees';
CREATE INDEX seats_player ON seats (player_id);
CREATE INDEX findings_source ON findings (source_id);
CREATE INDEX findings_deal ON findings (deal_id);
CREATE INDEX findings_rule ON findings (rule);
CREATE INDEX sources_path ON sources (path);
CREATE INDEX copies_deal ON copies (deal_id);
CREATE INDEX copies_source ON copies (source_id);
CREATE INDEX copies_hash ON copies (hash);
CREATE INDEX copies_own_id ON copies (own_id) WHERE own_id IS NOT NULL;
CREATE INDEX copies_play ON copies (play_hash) WHERE play_hash IS NOT NULL;
CREATE INDEX acts_source ON acts (source_id);
CREATE INDEX acts_player ON acts (player_id);
CREATE INDEX acts_into ON acts (into_id);
CREATE INDEX players_alias ON players (alias_of);
CREATE INDEX players_known ON players (coalesce(alias_of, id));
CREATE VIEW plays AS
    WITH cards (card) AS (VALUES (1), (2), (3), (4), (5), (6), (7), (8))
    SELECT
        t.deal_id AS deal,
        t.trick,
        c.card,
        s.seat,
        p.name AS player,
        s.declaring,
        substr(t.cards, 3 * c.card - 2, 2) AS code,
        CASE WHEN c.card = 1 THEN 1 ELSE 0 END AS led,
        CASE WHEN s.seat = t.winner THEN 1 WHEN s.seat <> t.winner THEN 0 END AS won_trick,
        t.points AS trick_points,
        CASE WHEN r.faces = 'french' THEN CASE substr(substr(t.cards, 3 * c.card - 2, 2), 1, 1) WHEN 'E' THEN 'Kreuz' WHEN 'G' THEN 'Pik' WHEN 'H' THEN 'Herz' WHEN 'S' THEN 'Karo' ELSE substr(substr(t.cards, 3 * c.card - 2, 2), 1, 1) END ELSE CASE substr(substr(t.cards, 3 * c.card - 2, 2), 1, 1) WHEN 'E' THEN 'Eichel' WHEN 'G' THEN 'Gras' WHEN 'H' THEN 'Herz' WHEN 'S' THEN 'Schellen' ELSE substr(substr(t.cards, 3 * c.card - 2, 2), 1, 1) END END || '-' || CASE WHEN r.faces = 'french' THEN CASE substr(substr(t.cards, 3 * c.card - 2, 2), 2, 1) WHEN 'A' THEN 'Ass' WHEN 'Z' THEN 'Zehn' WHEN 'K' THEN 'König' WHEN 'O' THEN 'Dame' WHEN 'U' THEN 'Bube' ELSE substr(substr(t.cards, 3 * c.card - 2, 2), 2, 1) END ELSE CASE substr(substr(t.cards, 3 * c.card - 2, 2), 2, 1) WHEN 'A' THEN 'Sau' WHEN 'Z' THEN 'Zehner' WHEN 'K' THEN 'König' WHEN 'O' THEN 'Ober' WHEN 'U' THEN 'Unter' ELSE substr(substr(t.cards, 3 * c.card - 2, 2), 2, 1) END END AS name
    FROM tricks t
    JOIN deals d ON d.id = t.deal_id
    LEFT JOIN rulesets r ON r.id = d.ruleset_id
    JOIN cards c ON 3 * c.card <= length(t.cards) + 1
    LEFT JOIN seats l ON l.deal_id = t.deal_id AND l.seat = t.leader
    LEFT JOIN seats s ON s.deal_id = t.deal_id AND s.place = (l.place + c.card - 2) % d.players + 1
    LEFT JOIN players p_as ON p_as.id = s.player_id
    LEFT JOIN players p ON p.id = coalesce(p_as.alias_of, p_as.id);
CREATE VIEW ledger AS
    SELECT
        d.session_id AS session,
        d.id AS deal,
        d.number,
        s.seat,
        p.name AS player,
        s.payment,
        s.total,
        json_extract(st.payments, '$[' || (s.seat - 1) || ']') AS stated_payment,
        json_extract(st.totals, '$[' || (s.seat - 1) || ']') AS stated_total,
        d.pot,
        coalesce(e.unit, r.unit) AS unit,
        d.rounds,
        CASE WHEN d.state_after IS NOT NULL AND json_type(d.state_after, '$.stock') IS NULL THEN 0
            ELSE json_extract(d.state_after, '$.stock') END AS stock_after,
        CASE WHEN d.state_after IS NOT NULL AND json_type(d.state_after, '$.hausbock') IS NULL THEN 0
            ELSE json_extract(d.state_after, '$.hausbock') END AS hausbock_after,
        s.marks,
        s.marks_total,
        d.chalk AS chalk_after,
        json_extract(ru.payments, '$[' || (s.seat - 1) || ']') AS ruled_payment,
        CASE WHEN json_extract(r.house, '$.marks') IS NULL
            THEN coalesce(json_extract(ru.payments, '$[' || (s.seat - 1) || ']'), s.payment, json_extract(st.payments, '$[' || (s.seat - 1) || ']')) END AS settled_payment,
        coalesce(json_extract(d.state_after, '$.settled[' || (s.seat - 1) || ']'), s.total) AS settled_total
    FROM deals d
    JOIN sessions e ON e.id = d.session_id
    JOIN seats s ON s.deal_id = d.id
    JOIN players p_as ON p_as.id = s.player_id
    JOIN players p ON p.id = coalesce(p_as.alias_of, p_as.id)
    LEFT JOIN rulesets r ON r.id = d.ruleset_id
    LEFT JOIN stated st ON st.deal_id = d.id
    LEFT JOIN rulings ru ON ru.id = (SELECT max(id) FROM rulings WHERE deal_id = d.id);
CREATE VIEW player_results AS
    SELECT
        p.name AS player,
        coalesce(e.unit, r.unit) AS unit,
        count(*) AS deals,
        count(coalesce(s.payment, s.marks)) AS settled,
        sum(s.won) AS won,
        sum(coalesce(s.payment, s.marks)) AS balance,
        round(avg(coalesce(s.payment, s.marks)), 2) AS per_deal,
        sum(CASE WHEN d.declarer = s.seat THEN 1 ELSE 0 END) AS declared,
        sum(CASE WHEN d.declarer = s.seat THEN d.won END) AS declared_won,
        sum(CASE WHEN d.partner = s.seat THEN 1 ELSE 0 END) AS partnered,
        sum(CASE WHEN d.partner = s.seat THEN d.won END) AS partnered_won
    FROM seats s
    JOIN players p_as ON p_as.id = s.player_id
    JOIN players p ON p.id = coalesce(p_as.alias_of, p_as.id)
    JOIN deals d ON d.id = s.deal_id
    JOIN sessions e ON e.id = d.session_id
    LEFT JOIN rulesets r ON r.id = d.ruleset_id
    WHERE s.place IS NOT NULL OR s.declaring IS NOT NULL
    GROUP BY p.id, p.name, coalesce(e.unit, r.unit);
CREATE VIEW standings AS
    SELECT
        event,
        unit,
        player,
        sum(CASE WHEN payment IS NOT NULL AND contract NOT IN ('none', 'misdeal') THEN 1 ELSE 0 END) AS deals,
        coalesce(sum(payment), 0) AS total,
        coalesce(sum(won), 0) AS won,
        coalesce(sum(CASE WHEN declared AND partner IS NULL THEN won END), 0) AS solos_won,
        coalesce(sum(CASE WHEN declared AND tout THEN won END), 0) AS touts_won,
        max(CASE WHEN contract NOT IN ('none', 'misdeal') THEN payment END) AS best_deal,
        sum(CASE WHEN payment IS NULL THEN 1 ELSE 0 END) AS undecided
    FROM (
        SELECT
            coalesce(e.event, 'session ' || e.id) AS event,
            coalesce(e.unit, r.unit) AS unit,
            CASE WHEN json_extract(r.house, '$.substitute') = 'seat'
                AND json_array_length(e.head, '$.players') = (SELECT count(*) FROM seats WHERE deal_id = d.id)
                THEN coalesce((SELECT k.name FROM players a JOIN players k ON k.id = coalesce(a.alias_of, a.id)
                    WHERE a.name = json_extract(e.head, '$.players[' || (s.seat - 1) || ']')),
                    json_extract(e.head, '$.players[' || (s.seat - 1) || ']'))
                ELSE p.name END AS player,
            coalesce(s.payment, s.marks) AS payment,
            s.won,
            d.declarer = s.seat AS declared,
            d.partner,
            d.tout,
            d.contract
        FROM sessions e
        JOIN deals d ON d.session_id = e.id
        JOIN seats s ON s.deal_id = d.id
        JOIN players p_as ON p_as.id = s.player_id
    JOIN players p ON p.id = coalesce(p_as.alias_of, p_as.id)
        LEFT JOIN rulesets r ON r.id = d.ruleset_id
        WHERE 1 AND (s.place IS NOT NULL OR s.declaring IS NOT NULL OR d.players IS NULL OR s.payment <> 0)
    )
    GROUP BY event, unit, player
    ORDER BY event, unit, total DESC;
CREATE VIEW runner_stats AS
    SELECT
        contract,
        runners,
        runners_paid,
        count(*) AS deals,
        sum(won) AS won,
        round(avg(won), 3) AS won_rate
    FROM deals
    WHERE runners IS NOT NULL
    GROUP BY contract, runners, runners_paid;
CREATE VIEW disputes AS
    SELECT
        d.id AS deal,
        '/deals/' || d.id AS viewer,
        s.date,
        s.event,
        d.contract,
        d.verdict,
        d.reason,
        st.price AS stated_price,
        d.price AS computed_price,
        st.payments AS stated_payments,
        (SELECT json_group_array(payment) FROM seats WHERE deal_id = d.id) AS computed_payments,
        ru.payments AS ruled_payments,
        coalesce((SELECT k.name FROM players a JOIN players k ON k.id = a.alias_of WHERE a.name = ru.author),
            ru.author) AS ruled_by,
        ru.why AS ruled_why,
        ru.made_at AS ruled_at,
        ru.cite AS ruled_cite,
        (SELECT count(*) FROM rulings WHERE deal_id = d.id) AS rulings,
        (SELECT json_group_array(settled_payment) FROM (
            SELECT settled_payment FROM ledger WHERE deal = d.id ORDER BY seat)) AS settled_payments
    FROM deals d
    JOIN sessions s ON s.id = d.session_id
    LEFT JOIN stated st ON st.deal_id = d.id
    LEFT JOIN rulings ru ON ru.id = (SELECT max(id) FROM rulings WHERE deal_id = d.id)
    WHERE d.verdict = 'differs' OR ru.id IS NOT NULL;
CREATE VIEW rulings_by_rule AS
    SELECT
        f.rule,
        f.message,
        ru.cite,
        ru.why,
        coalesce((SELECT k.name FROM players a JOIN players k ON k.id = a.alias_of WHERE a.name = ru.author),
            ru.author) AS ruled_by,
        ru.made_at AS ruled_at,
        ru.payments AS ruled_payments,
        ru.id = (SELECT max(id) FROM rulings WHERE deal_id = ru.deal_id) AS in_force,
        ru.id AS ruling,
        ru.deal_id AS deal,
        '/deals/' || ru.deal_id AS viewer,
        d.session_id AS session,
        d.number,
        s.date,
        s.event,
        d.contract,
        d.verdict
    FROM rulings ru
    LEFT JOIN deals d ON d.id = ru.deal_id
    LEFT JOIN sessions s ON s.id = d.session_id
    LEFT JOIN findings f ON f.deal_id = ru.deal_id AND f.severity <> 'note';
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('sources',1);
INSERT INTO "sqlite_sequence" VALUES('sessions',1);
INSERT INTO "sqlite_sequence" VALUES('records',5);
COMMIT;
