PRAGMA application_id = 1399023723;
BEGIN;
CREATE TABLE "_derived" (
   "name" TEXT PRIMARY KEY,
   "digest" TEXT
);
INSERT INTO "_derived" VALUES('tables','0237-58d61c1ee9e37493');
INSERT INTO "_derived" VALUES('views','00914e32cd16c169');
INSERT INTO "_derived" VALUES('notes','4bd053513649d868');
INSERT INTO "_derived" VALUES('contract_facts','616a91f57c648ee3');
INSERT INTO "_derived" VALUES('point_facts','cbca9598a46c437d');
INSERT INTO "_derived" VALUES('dealt_facts','d326eb43f13559a7');
INSERT INTO "_derived" VALUES('multiplier_facts','18e0247ec2475dc5');
INSERT INTO "_derived" VALUES('solo_facts','e3a66dc032e9cfae');
INSERT INTO "_derived" VALUES('runner_facts','d2ee84fe342dd966');
INSERT INTO "_derived" VALUES('place_facts','29b04cdf4b1ca966');
INSERT INTO "_derived" VALUES('role_facts','f0b47a6c89917fe7');
INSERT INTO "_derived" VALUES('player_facts','f29860ce986a159d');
INSERT INTO "_derived" VALUES('pair_facts','56da1f61d2742f01');
INSERT INTO "_derived" VALUES('run_facts','5564a0e90cc53a91');
INSERT INTO "_derived" VALUES('called_facts','557ea3ca4f9daadd');
INSERT INTO "_derived" VALUES('away_facts','3110a23ec7a1fb18');
INSERT INTO "_derived" VALUES('knock_facts','5ed5f07851dc1f4b');
INSERT INTO "_derived" VALUES('kontra_facts','6f66e06d2132ef07');
INSERT INTO "_derived" VALUES('doubling_facts','2e0f1acf05885397');
INSERT INTO "_derived" VALUES('hand_facts','48a8da5440e139c1');
INSERT INTO "_derived" VALUES('luck_facts','33158b21a6db2cac');
INSERT INTO "_derived" VALUES('declarer_hand_facts','1626367ba9e0b7e7');
INSERT INTO "_derived" VALUES('session_facts','a36b79e33202005c');
INSERT INTO "_derived" VALUES('occasion_facts','5b81f901a70422a2');
INSERT INTO "_derived" VALUES('dispute_facts','cffbda631a59fe8e');
INSERT INTO "_derived" VALUES('source_card_facts','b633857331c4d627');
INSERT INTO "_derived" VALUES('dealer_card_facts','0523324a2ca3360f');
INSERT INTO "_derived" VALUES('recorder_card_facts','16dc55c744b012d2');
INSERT INTO "_derived" VALUES('standing_facts','1d86af0f7de384e3');
INSERT INTO "_derived" VALUES('result_facts','eaecf995e90d580d');
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'archive','m001_first','2026-11-23 21:10:54.876687+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'archive','m002_phases','2026-11-23 21:10:54.876928+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'archive','m003_marks','2026-11-23 21:10:54.877060+00:00');
INSERT INTO "_sqlite_migrations" VALUES(4,'archive','m004_evidence','2026-11-23 21:10:54.877188+00:00');
INSERT INTO "_sqlite_migrations" VALUES(5,'archive','m005_notes','2026-11-23 21:10:54.877429+00:00');
INSERT INTO "_sqlite_migrations" VALUES(6,'archive','m006_questions','2026-11-23 21:10:54.877959+00:00');
INSERT INTO "_sqlite_migrations" VALUES(7,'archive','m007_facts','2026-11-23 21:10:54.878116+00:00');
INSERT INTO "_sqlite_migrations" VALUES(8,'archive','m008_smaller','2026-11-23 21:10:54.878317+00:00');
INSERT INTO "_sqlite_migrations" VALUES(9,'archive','m009_shorter','2026-11-23 21:10:54.878477+00:00');
INSERT INTO "_sqlite_migrations" VALUES(10,'archive','m010_messages','2026-11-23 21:10:54.878627+00:00');
CREATE TABLE acts (id INTEGER PRIMARY KEY AUTOINCREMENT, act TEXT NOT NULL CHECK (act IN ('withdraw', 'restore', 'merge', 'split', 'erase')), source_id INTEGER REFERENCES sources (id), player_id INTEGER REFERENCES players (id), into_id INTEGER REFERENCES players (id), author TEXT NOT NULL, made_at TEXT NOT NULL, why TEXT NOT NULL, facts TEXT) STRICT;
CREATE TABLE away_facts (part INTEGER NOT NULL, rules TEXT, contract TEXT, called_cards INTEGER, ran_away INTEGER, won INTEGER, deals INTEGER) STRICT;
INSERT INTO "away_facts" VALUES(0,'pub','rufspiel',1,0,1,1);
CREATE TABLE called_facts (part INTEGER NOT NULL, rules TEXT, contract TEXT, led_by TEXT, trick INTEGER, found INTEGER, stabbed INTEGER, won INTEGER, deals INTEGER) STRICT;
INSERT INTO "called_facts" VALUES(0,'pub','rufspiel','declarer',8,1,1,1,1);
CREATE TABLE calls (deal_id INTEGER NOT NULL REFERENCES deals (id) ON DELETE CASCADE, n INTEGER NOT NULL, seat INTEGER NOT NULL, call TEXT NOT NULL, PRIMARY KEY (deal_id, n)) STRICT, WITHOUT ROWID;
INSERT INTO "calls" VALUES(1,1,1,'pass');
INSERT INTO "calls" VALUES(1,2,2,'play');
INSERT INTO "calls" VALUES(1,3,3,'pass');
INSERT INTO "calls" VALUES(1,4,4,'pass');
CREATE TABLE contract_facts (part INTEGER NOT NULL, rules TEXT, unit TEXT, contract TEXT, suit TEXT, called TEXT, tout INTEGER, won INTEGER, schneider INTEGER, schwarz INTEGER, deals INTEGER, settled INTEGER, paid INTEGER) STRICT;
INSERT INTO "contract_facts" VALUES(0,'pub','ct','rufspiel','G','GA',0,1,0,0,1,1,320);
INSERT INTO "contract_facts" VALUES(0,'pub','ct','solo','E',NULL,0,1,0,0,1,1,150);
INSERT INTO "contract_facts" VALUES(0,'pub','ct','wenz',NULL,NULL,0,NULL,NULL,NULL,1,0,NULL);
CREATE TABLE contracts (ruleset_id INTEGER NOT NULL REFERENCES rulesets (id), contract TEXT NOT NULL, suit TEXT NOT NULL, title TEXT NOT NULL, declarer INTEGER NOT NULL CHECK (declarer IN (0, 1)), parties TEXT NOT NULL, goal TEXT NOT NULL, exchange TEXT NOT NULL, trumps TEXT, lords INTEGER, PRIMARY KEY (ruleset_id, contract, suit)) STRICT, WITHOUT ROWID;
INSERT INTO "contracts" VALUES(1,'rufspiel','G','Rufspiel',1,'called','points','none','EO GO HO SO EU GU HU SU HA HZ HK H9 H8 H7',8);
INSERT INTO "contracts" VALUES(1,'solo','E','Solo',1,'alone','points','none','EO GO HO SO EU GU HU SU EA EZ EK E9 E8 E7',8);
INSERT INTO "contracts" VALUES(1,'wenz','','Wenz',1,'alone','points','none','EU GU HU SU',4);
CREATE TABLE copies (id INTEGER PRIMARY KEY AUTOINCREMENT, deal_id INTEGER NOT NULL REFERENCES records (id) ON DELETE CASCADE, source_id INTEGER NOT NULL REFERENCES sources (id), number INTEGER NOT NULL CHECK (number > 0), own_id TEXT, line INTEGER, end_line INTEGER, hash BLOB NOT NULL CHECK (length(hash) = 16), play_hash BLOB, head TEXT, record BLOB) STRICT;
CREATE TABLE corrections (id INTEGER PRIMARY KEY, deal_id INTEGER NOT NULL REFERENCES records (id) ON DELETE CASCADE, author TEXT NOT NULL, made_at TEXT NOT NULL, why TEXT NOT NULL, before TEXT, after TEXT NOT NULL) STRICT;
INSERT INTO "corrections" VALUES(1,4,'Dora','2026-11-15','misread',NULL,'{"game":"Cem wenz"}');
CREATE TABLE dealer_card_facts (part INTEGER NOT NULL, player INTEGER, source INTEGER, pack INTEGER, cards INTEGER, hands INTEGER, matadors INTEGER, free_suits INTEGER, EA INTEGER, EZ INTEGER, EK INTEGER, EO INTEGER, EU INTEGER, E9 INTEGER, E8 INTEGER, E7 INTEGER, E6 INTEGER, GA INTEGER, GZ INTEGER, GK INTEGER, GO INTEGER, GU INTEGER, G9 INTEGER, G8 INTEGER, G7 INTEGER, G6 INTEGER, HA INTEGER, HZ INTEGER, HK INTEGER, HO INTEGER, HU INTEGER, H9 INTEGER, H8 INTEGER, H7 INTEGER, H6 INTEGER, SA INTEGER, SZ INTEGER, SK INTEGER, SO INTEGER, SU INTEGER, S9 INTEGER, S8 INTEGER, S7 INTEGER, S6 INTEGER) STRICT;
INSERT INTO "dealer_card_facts" VALUES(4,4,1,32,8,1,0,0,0,1,0,0,0,1,0,0,0,1,0,0,0,0,0,0,0,0,1,1,0,1,0,0,0,0,0,0,1,0,0,0,0,0,1,0);
CREATE TABLE deals (id INTEGER PRIMARY KEY REFERENCES records (id) ON DELETE CASCADE, viewer INTEGER GENERATED ALWAYS AS (id) VIRTUAL, session_id INTEGER NOT NULL REFERENCES sessions (id), number INTEGER NOT NULL, ruleset_id INTEGER REFERENCES rulesets (id), engine TEXT NOT NULL, contract TEXT, suit TEXT, called TEXT, tout INTEGER CHECK (tout IN (0, 1)), words TEXT, bid INTEGER, round TEXT, players INTEGER, dealer INTEGER, declarer INTEGER, partner INTEGER, loser INTEGER, knocks INTEGER, doubles INTEGER, won INTEGER CHECK (won IN (0, 1)), side_points INTEGER, side_tricks INTEGER, schneider INTEGER CHECK (schneider IN (0, 1)), schwarz INTEGER CHECK (schwarz IN (0, 1)), runners INTEGER, runners_paid INTEGER CHECK (runners_paid IN (0, 1)), base INTEGER, schneider_amount INTEGER, schwarz_amount INTEGER, runners_amount INTEGER, multiplier INTEGER, price INTEGER, pot INTEGER, verdict TEXT NOT NULL CHECK (verdict IN ('agrees', 'differs', 'undecidable', 'unplayable')), reason TEXT, missing TEXT, state TEXT NOT NULL, cut TEXT, rounds TEXT, state_after TEXT, marks INTEGER, chalk INTEGER, note TEXT, label TEXT GENERATED ALWAYS AS ('deal ' || number || ' of session ' || session_id) VIRTUAL, reason_facts TEXT, missing_facts TEXT, deciding TEXT) STRICT;
INSERT INTO "deals" VALUES(1,1,1,1,'1','rufspiel','G','GA',0,NULL,NULL,NULL,4,4,2,4,NULL,1,1,1,75,5,0,0,6,1,20,0,0,60,4,320,0,'differs','Price: the record states 160, the rules give 320.',NULL,'{}',NULL,'','{}',NULL,NULL,NULL,'{"id":"findings.stated-price","facts":{"stated":160,"computed":320}}',NULL,NULL);
INSERT INTO "deals" VALUES(2,1,2,1,'1','none',NULL,NULL,0,NULL,NULL,NULL,4,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,0,0,'agrees',NULL,NULL,'{}',NULL,'','{}',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "deals" VALUES(3,1,3,1,'1','none',NULL,NULL,0,NULL,NULL,NULL,4,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,0,0,'agrees',NULL,NULL,'{}',NULL,'','{}',NULL,NULL,'The cards were wet.',NULL,NULL,NULL);
INSERT INTO "deals" VALUES(4,1,4,1,'1','wenz',NULL,NULL,0,NULL,NULL,NULL,4,2,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,'unplayable','Exchange 1 in the Wenz: Anna > Cem (1 card), where nothing is due.','["the tricks"]','{}',NULL,'','{"dealer":2,"stated_totals":[-370,270,-170,270],"marks":[0,0,0,0],"list_deals":4,"settled":[-360,280,-200,280]}',NULL,NULL,NULL,'{"id":"findings.exchange-order","facts":{"number":1,"said":{"id":"play.move","facts":{"giver":"Anna","taker":"Cem","n":1}},"due":{"id":"play.nothing","facts":{}},"title":"Wenz"}}','[{"id":"missing.tricks","facts":{}}]',NULL);
INSERT INTO "deals" VALUES(5,1,5,1,'1','solo','E',NULL,0,NULL,NULL,NULL,4,3,4,NULL,NULL,NULL,NULL,1,NULL,NULL,0,0,2,0,50,0,0,0,1,50,0,'differs','Payments: the record states -70, -50, -50, 150, the rules give -50, -50, -50, 150.',NULL,'{"dealer":2,"stated_totals":[-370,270,-170,270],"marks":[0,0,0,0],"list_deals":4,"settled":[-360,280,-200,280]}',NULL,'','{"dealer":3,"stated_totals":[-420,220,-220,420],"marks":[0,0,0,0],"list_deals":5,"settled":[-410,230,-250,430]}',NULL,NULL,NULL,'{"id":"findings.stated-payments","facts":{"stated":[-70,-50,-50,150],"computed":[-50,-50,-50,150]}}',NULL,NULL);
CREATE TABLE dealt_facts (part INTEGER NOT NULL, rules TEXT, contract TEXT, deals INTEGER) STRICT;
INSERT INTO "dealt_facts" VALUES(0,'pub','none',2);
INSERT INTO "dealt_facts" VALUES(0,'pub','rufspiel',1);
INSERT INTO "dealt_facts" VALUES(0,'pub','solo',1);
INSERT INTO "dealt_facts" VALUES(0,'pub','wenz',1);
CREATE TABLE declarer_hand_facts (part INTEGER NOT NULL, rules TEXT, unit TEXT, contract TEXT, pack INTEGER, cards INTEGER, lords_dealt INTEGER, won INTEGER, hands INTEGER, settled INTEGER, paid INTEGER) STRICT;
INSERT INTO "declarer_hand_facts" VALUES(0,'pub','ct','rufspiel',32,8,5,1,1,1,320);
CREATE TABLE dispute_facts (part INTEGER NOT NULL, rules TEXT, verdict TEXT, severity TEXT, finding TEXT, deals INTEGER) STRICT;
INSERT INTO "dispute_facts" VALUES(0,'pub','differs','error','stated-payments',2);
INSERT INTO "dispute_facts" VALUES(0,'pub','differs','error','stated-price',1);
INSERT INTO "dispute_facts" VALUES(0,'pub','differs','error','stated-sum',1);
INSERT INTO "dispute_facts" VALUES(0,'pub','unplayable','error','exchange-order',1);
CREATE TABLE doubles (deal_id INTEGER NOT NULL REFERENCES deals (id) ON DELETE CASCADE, n INTEGER NOT NULL, seat INTEGER NOT NULL, word TEXT NOT NULL, trick INTEGER, card INTEGER, PRIMARY KEY (deal_id, n)) STRICT, WITHOUT ROWID;
INSERT INTO "doubles" VALUES(1,1,2,'knock',NULL,NULL);
INSERT INTO "doubles" VALUES(1,2,3,'kontra',1,2);
CREATE TABLE doubling_facts (part INTEGER NOT NULL, rules TEXT, unit TEXT, contract TEXT, knocks INTEGER, doubles INTEGER, won INTEGER, deals INTEGER, settled INTEGER, paid INTEGER) STRICT;
INSERT INTO "doubling_facts" VALUES(0,'pub','ct','rufspiel',1,1,1,1,1,320);
INSERT INTO "doubling_facts" VALUES(0,'pub','ct','solo',NULL,NULL,1,1,1,150);
INSERT INTO "doubling_facts" VALUES(0,'pub','ct','wenz',NULL,NULL,NULL,1,0,NULL);
CREATE TABLE events (deal_id INTEGER NOT NULL REFERENCES deals (id) ON DELETE CASCADE, n INTEGER NOT NULL, seat INTEGER NOT NULL, verb TEXT NOT NULL, moment TEXT, arg TEXT, by_seat INTEGER, PRIMARY KEY (deal_id, n)) STRICT, WITHOUT ROWID;
CREATE TABLE exchanges (deal_id INTEGER NOT NULL REFERENCES deals (id) ON DELETE CASCADE, n INTEGER NOT NULL, giver INTEGER, taker INTEGER, cards TEXT NOT NULL, PRIMARY KEY (deal_id, n)) STRICT, WITHOUT ROWID;
INSERT INTO "exchanges" VALUES(4,1,1,3,'E7');
CREATE TABLE findings (id INTEGER PRIMARY KEY, source_id INTEGER NOT NULL REFERENCES sources (id), deal_id INTEGER REFERENCES deals (id) ON DELETE CASCADE, rule TEXT NOT NULL, severity TEXT NOT NULL CHECK (severity IN ('error', 'warning', 'note')), message TEXT NOT NULL, line INTEGER, moment TEXT, deal_number INTEGER, facts TEXT) STRICT;
INSERT INTO "findings" VALUES(1,1,1,'stated-price','error','price: the record states 160, the rules give 320',10,NULL,1,'{"stated":160,"computed":320}');
INSERT INTO "findings" VALUES(2,1,1,'stated-payments','error','payments: the record states -160, 160, -160, 160, the rules give -320, 320, -320, 320',10,NULL,1,'{"stated":[-160,160,-160,160],"computed":[-320,320,-320,320]}');
INSERT INTO "findings" VALUES(3,1,3,'dealer-order','note','Anna deals, but it was the turn of Ben',42,NULL,3,'{"dealer":"Anna","expected":"Ben"}');
INSERT INTO "findings" VALUES(4,1,4,'exchange-order','error','exchange 1 in the Wenz: Anna > Cem (1 card), where nothing is due',47,NULL,4,'{"number":1,"said":{"id":"play.move","facts":{"giver":"Anna","taker":"Cem","n":1}},"due":{"id":"play.nothing","facts":{}},"title":"Wenz"}');
INSERT INTO "findings" VALUES(5,1,5,'stated-payments','error','payments: the record states -70, -50, -50, 150, the rules give -50, -50, -50, 150',56,NULL,5,'{"stated":[-70,-50,-50,150],"computed":[-50,-50,-50,150]}');
INSERT INTO "findings" VALUES(6,1,5,'stated-sum','error','the stated payments -70, -50, -50, 150 do not sum to zero, -20 is left over',56,NULL,5,'{"payments":[-70,-50,-50,150],"rest":-20}');
CREATE TABLE hand_facts (part INTEGER NOT NULL, rules TEXT, unit TEXT, pack INTEGER, cards INTEGER, lords_dealt INTEGER, matadors_dealt INTEGER, hands INTEGER, pairs INTEGER, settled INTEGER, paid INTEGER) STRICT;
INSERT INTO "hand_facts" VALUES(0,'pub','ct',32,8,0,0,1,2,1,-320);
INSERT INTO "hand_facts" VALUES(0,'pub','ct',32,8,1,0,1,3,1,320);
INSERT INTO "hand_facts" VALUES(0,'pub','ct',32,8,2,0,1,0,1,-320);
INSERT INTO "hand_facts" VALUES(0,'pub','ct',32,8,5,2,1,1,1,320);
CREATE TABLE knock_facts (part INTEGER NOT NULL, rules TEXT, unit TEXT, contract TEXT, role TEXT, knocked INTEGER, won INTEGER, seats INTEGER, settled INTEGER, paid INTEGER) STRICT;
INSERT INTO "knock_facts" VALUES(0,'pub','ct','rufspiel','declarer',1,1,1,1,320);
INSERT INTO "knock_facts" VALUES(0,'pub','ct','rufspiel','defence',0,0,2,2,-640);
INSERT INTO "knock_facts" VALUES(0,'pub','ct','rufspiel','partner',0,1,1,1,320);
CREATE TABLE kontra_facts (part INTEGER NOT NULL, rules TEXT, unit TEXT, contract TEXT, word TEXT, role TEXT, before_trick INTEGER, won INTEGER, calls INTEGER, settled INTEGER, paid INTEGER) STRICT;
INSERT INTO "kontra_facts" VALUES(0,'pub','ct','rufspiel','kontra','defence',1,0,1,1,-320);
CREATE TABLE luck_facts (part INTEGER NOT NULL, player INTEGER, rules TEXT, unit TEXT, pack INTEGER, cards INTEGER, lords_dealt INTEGER, hands INTEGER, settled INTEGER, paid INTEGER) STRICT;
INSERT INTO "luck_facts" VALUES(1,1,'pub','ct',32,8,2,1,1,-320);
INSERT INTO "luck_facts" VALUES(2,2,'pub','ct',32,8,5,1,1,320);
INSERT INTO "luck_facts" VALUES(3,3,'pub','ct',32,8,0,1,1,-320);
INSERT INTO "luck_facts" VALUES(4,4,'pub','ct',32,8,1,1,1,320);
CREATE TABLE multiplier_facts (part INTEGER NOT NULL, rules TEXT, unit TEXT, contract TEXT, multiplier INTEGER, won INTEGER, deals INTEGER, settled INTEGER, paid INTEGER) STRICT;
INSERT INTO "multiplier_facts" VALUES(0,'pub','ct','rufspiel',4,1,1,1,320);
INSERT INTO "multiplier_facts" VALUES(0,'pub','ct','solo',1,1,1,1,150);
CREATE TABLE notes (id INTEGER PRIMARY KEY, session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE, deal_id INTEGER REFERENCES deals (id) ON DELETE CASCADE, kind TEXT NOT NULL CHECK (kind IN ('deal', 'session', 'occasion', 'event', 'correction', 'ruling')), text TEXT NOT NULL, who TEXT) STRICT;
INSERT INTO "notes" VALUES(1,1,NULL,'occasion','Stammtisch','Ben');
INSERT INTO "notes" VALUES(2,1,3,'deal','The cards were wet.',NULL);
INSERT INTO "notes" VALUES(3,1,4,'correction','misread','Dora');
INSERT INTO "notes" VALUES(4,1,4,'ruling','agreed (house)','Anna');
CREATE TABLE occasion_facts (part INTEGER NOT NULL, month TEXT, rules TEXT, format TEXT, verdict TEXT, deals INTEGER) STRICT;
INSERT INTO "occasion_facts" VALUES(0,'2026-11','pub','record-toml','agrees',2);
INSERT INTO "occasion_facts" VALUES(0,'2026-11','pub','record-toml','differs',2);
INSERT INTO "occasion_facts" VALUES(0,'2026-11','pub','record-toml','unplayable',1);
CREATE TABLE pair_facts (part INTEGER NOT NULL, player INTEGER, partner INTEGER, rules TEXT, unit TEXT, contract TEXT, deals INTEGER, decided INTEGER, won INTEGER, settled INTEGER, paid INTEGER) STRICT;
INSERT INTO "pair_facts" VALUES(2,2,4,'pub','ct','rufspiel',1,1,1,1,640);
CREATE TABLE place_facts (part INTEGER NOT NULL, rules TEXT, unit TEXT, contract TEXT, players INTEGER, place INTEGER, role TEXT, won INTEGER, deals INTEGER, settled INTEGER, paid INTEGER) STRICT;
INSERT INTO "place_facts" VALUES(0,'pub','ct','rufspiel',4,1,'defence',0,1,1,-320);
INSERT INTO "place_facts" VALUES(0,'pub','ct','rufspiel',4,2,'declarer',1,1,1,320);
INSERT INTO "place_facts" VALUES(0,'pub','ct','rufspiel',4,3,'defence',0,1,1,-320);
INSERT INTO "place_facts" VALUES(0,'pub','ct','rufspiel',4,4,'partner',1,1,1,320);
INSERT INTO "place_facts" VALUES(0,'pub','ct','solo',4,1,'declarer',1,1,1,150);
INSERT INTO "place_facts" VALUES(0,'pub','ct','solo',4,2,'defence',0,1,1,-50);
INSERT INTO "place_facts" VALUES(0,'pub','ct','solo',4,3,'defence',0,1,1,-50);
INSERT INTO "place_facts" VALUES(0,'pub','ct','solo',4,4,'defence',0,1,1,-50);
INSERT INTO "place_facts" VALUES(0,'pub','ct','wenz',4,1,'declarer',NULL,1,0,NULL);
INSERT INTO "place_facts" VALUES(0,'pub','ct','wenz',4,2,'defence',NULL,1,0,NULL);
INSERT INTO "place_facts" VALUES(0,'pub','ct','wenz',4,3,'defence',NULL,1,0,NULL);
INSERT INTO "place_facts" VALUES(0,'pub','ct','wenz',4,4,'defence',NULL,1,0,NULL);
CREATE TABLE player_facts (part INTEGER NOT NULL, player INTEGER, rules TEXT, unit TEXT, contract TEXT, role TEXT, deals INTEGER, decided INTEGER, won INTEGER, settled INTEGER, paid INTEGER) STRICT;
INSERT INTO "player_facts" VALUES(1,1,'pub','ct','none',NULL,2,0,0,2,0);
INSERT INTO "player_facts" VALUES(1,1,'pub','ct','rufspiel','defence',1,1,0,1,-320);
INSERT INTO "player_facts" VALUES(1,1,'pub','ct','solo','defence',1,1,0,1,-50);
INSERT INTO "player_facts" VALUES(1,1,'pub','ct','wenz','defence',1,0,0,0,NULL);
INSERT INTO "player_facts" VALUES(2,2,'pub','ct','none',NULL,2,0,0,2,0);
INSERT INTO "player_facts" VALUES(2,2,'pub','ct','rufspiel','declarer',1,1,1,1,320);
INSERT INTO "player_facts" VALUES(2,2,'pub','ct','solo','defence',1,1,0,1,-50);
INSERT INTO "player_facts" VALUES(2,2,'pub','ct','wenz','defence',1,0,0,0,NULL);
INSERT INTO "player_facts" VALUES(3,3,'pub','ct','none',NULL,2,0,0,2,0);
INSERT INTO "player_facts" VALUES(3,3,'pub','ct','rufspiel','defence',1,1,0,1,-320);
INSERT INTO "player_facts" VALUES(3,3,'pub','ct','solo','defence',1,1,0,1,-50);
INSERT INTO "player_facts" VALUES(3,3,'pub','ct','wenz','declarer',1,0,0,0,NULL);
INSERT INTO "player_facts" VALUES(4,4,'pub','ct','none',NULL,2,0,0,2,0);
INSERT INTO "player_facts" VALUES(4,4,'pub','ct','rufspiel','partner',1,1,1,1,320);
INSERT INTO "player_facts" VALUES(4,4,'pub','ct','solo','declarer',1,1,1,1,150);
INSERT INTO "player_facts" VALUES(4,4,'pub','ct','wenz','defence',1,0,0,0,NULL);
CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, alias_of INTEGER REFERENCES players (id)) STRICT;
INSERT INTO "players" VALUES(1,'Anna',NULL);
INSERT INTO "players" VALUES(2,'Ben',NULL);
INSERT INTO "players" VALUES(3,'Cem',NULL);
INSERT INTO "players" VALUES(4,'Dora',NULL);
CREATE TABLE point_facts (part INTEGER NOT NULL, rules TEXT, parties TEXT, points INTEGER, won INTEGER, deals INTEGER) STRICT;
INSERT INTO "point_facts" VALUES(0,'pub','partners',75,1,1);
CREATE TABLE recorder_card_facts (part INTEGER NOT NULL, player INTEGER, source INTEGER, pack INTEGER, cards INTEGER, hands INTEGER, matadors INTEGER, free_suits INTEGER, EA INTEGER, EZ INTEGER, EK INTEGER, EO INTEGER, EU INTEGER, E9 INTEGER, E8 INTEGER, E7 INTEGER, E6 INTEGER, GA INTEGER, GZ INTEGER, GK INTEGER, GO INTEGER, GU INTEGER, G9 INTEGER, G8 INTEGER, G7 INTEGER, G6 INTEGER, HA INTEGER, HZ INTEGER, HK INTEGER, HO INTEGER, HU INTEGER, H9 INTEGER, H8 INTEGER, H7 INTEGER, H6 INTEGER, SA INTEGER, SZ INTEGER, SK INTEGER, SO INTEGER, SU INTEGER, S9 INTEGER, S8 INTEGER, S7 INTEGER, S6 INTEGER) STRICT;
INSERT INTO "recorder_card_facts" VALUES(2,2,1,32,8,1,2,0,0,0,1,1,1,0,0,0,0,0,0,0,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,1,0,0,0);
CREATE TABLE records (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id INTEGER NOT NULL REFERENCES sessions (id), number INTEGER NOT NULL, own_id TEXT, source_id INTEGER NOT NULL REFERENCES sources (id), line INTEGER, end_line INTEGER, hash BLOB NOT NULL CHECK (length(hash) = 16), play_hash BLOB CHECK (length(play_hash) = 8), record BLOB NOT NULL) STRICT;
INSERT INTO "records" VALUES(1,1,1,'list-3/1',1,10,36,X'C4800E0E051AD5900985B10386DA94FD',X'217C84FBB5448E64',X'06B76C6973742D332F31B4838D453820483920483820473820485520484B205341205355E4455520473920534F20533920454B20474F20475520454FE4483720453720473720474B20475A20454120534B205338E4484F20474120484120533720455A20485A20535A204539225D91818E8099819A8299839681BCCF40312E322082FD535520454F204837204841E45339205338205337205341E4485520455520475A20484FE4535A20473820475520534BE4454B204541204539204538E4453720455A20483820474FE4534F20473720485A204839E4473920474B20474120484B9C37352C2272756E6E657273223A36A8313630A9FEB160A160AB160A160FAD');
INSERT INTO "records" VALUES(2,1,2,NULL,1,38,40,X'419CE937BD4A91FEBD1B73644FABEC2D',NULL,X'06B38022977D');
INSERT INTO "records" VALUES(3,1,3,NULL,1,42,45,X'ED65DC727A4A97E8D7CE01F69BE17025',NULL,X'06B3802297DB5468652063617264732077657265207765742E227D');
INSERT INTO "records" VALUES(4,1,4,NULL,1,47,54,X'7CEBE55DBF345D1E4DB785733DE21982',NULL,X'06B381229882C3D780203E2082E545379F74727565A9FEB50AB50A150AB50F5D7D2C22636F7272656374696F6E223A5B7B226279223A2283E47768656E223A22323032362D31312D3135E4776879223A226D697372656164E4736574223A7B2267616D65223A2282C322AE5D2C2272756C696E67223A5B7B226279223A2280E47768656E223A22323032362D31312D3136E4776879223A2261677265656422A9FEB40AB40A120AB40F5D2C2263697465223A22686F757365227D5D7D');
INSERT INTO "records" VALUES(5,1,5,NULL,1,56,60,X'0EAB29709428C89A6C132E9417B40901',NULL,X'06B382229883BFA011223A74727565A9FEB70AB50AB50A150FAD');
CREATE TABLE result_facts (part INTEGER NOT NULL, player INTEGER, unit TEXT, deals INTEGER, settled INTEGER, won INTEGER, balance INTEGER, declared INTEGER, declared_won INTEGER, partnered INTEGER, partnered_won INTEGER) STRICT;
INSERT INTO "result_facts" VALUES(1,1,'ct',5,4,0,-370,0,NULL,0,NULL);
INSERT INTO "result_facts" VALUES(2,2,'ct',5,4,1,270,1,1,0,NULL);
INSERT INTO "result_facts" VALUES(3,3,'ct',5,4,0,-370,1,NULL,0,NULL);
INSERT INTO "result_facts" VALUES(4,4,'ct',5,4,2,470,1,1,1,1);
CREATE TABLE role_facts (part INTEGER NOT NULL, player INTEGER, rules TEXT, unit TEXT, role TEXT, deals INTEGER, decided INTEGER, won INTEGER, settled INTEGER, paid INTEGER) STRICT;
INSERT INTO "role_facts" VALUES(1,1,'pub','ct',NULL,2,0,0,2,0);
INSERT INTO "role_facts" VALUES(1,1,'pub','ct','defence',3,2,0,2,-370);
INSERT INTO "role_facts" VALUES(2,2,'pub','ct',NULL,2,0,0,2,0);
INSERT INTO "role_facts" VALUES(2,2,'pub','ct','declarer',1,1,1,1,320);
INSERT INTO "role_facts" VALUES(2,2,'pub','ct','defence',2,1,0,1,-50);
INSERT INTO "role_facts" VALUES(3,3,'pub','ct',NULL,2,0,0,2,0);
INSERT INTO "role_facts" VALUES(3,3,'pub','ct','declarer',1,0,0,0,NULL);
INSERT INTO "role_facts" VALUES(3,3,'pub','ct','defence',2,2,0,2,-370);
INSERT INTO "role_facts" VALUES(4,4,'pub','ct',NULL,2,0,0,2,0);
INSERT INTO "role_facts" VALUES(4,4,'pub','ct','declarer',1,1,1,1,150);
INSERT INTO "role_facts" VALUES(4,4,'pub','ct','defence',1,0,0,0,NULL);
INSERT INTO "role_facts" VALUES(4,4,'pub','ct','partner',1,1,1,1,320);
CREATE TABLE rulesets (id INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL UNIQUE, title TEXT NOT NULL, unit TEXT NOT NULL, rules TEXT NOT NULL, overrides TEXT, house TEXT NOT NULL, faces TEXT, incomplete TEXT) STRICT;
INSERT INTO "rulesets" VALUES(1,'pub','e1313de82104','Bavarian Schafkopf, as in the pub','ct','pub','{"tariff":"10/20/50"}','{"seats":4,"deck":32,"unit":"ct","contracts":["rufspiel","bettel","farbgeier","farbwenz","geier","wenz","solo","sie","ramsch"],"tariff":"10/20/50","price":{},"runners_from":{"rufspiel":3,"solo":3,"wenz":2,"ramsch":0,"bettel":0,"sie":0,"farbwenz":2,"geier":2,"farbgeier":2,"kaiser":2,"eisenbahner":2,"hochzeit":3,"kreuz":3},"knock":"anyone","stoss":{"until":"second-card","by":"defence","answer":"declarer","limit":2},"levels":{"win":61,"schneider":91,"schneider_against":90,"tie":"lost"},"tout":"base","sie":"base","call":{"run_away":4,"void":"no","ten":"no","king":"no","announced":true},"solo_needs_suit":true,"trumps":"H","all_pass":"ramsch","ramsch":{"tie":["tricks","taken-trumps","taken-trump"],"virgin":"double-all","march":"no","march_price":"ramsch","price":null,"virgin_is":"no-trick","announce":0,"double":"no","bonus_under":0},"bettel":{"trumps":"none","beat":false,"lead":"forehand","open":"no"},"stock":{"amount":0,"won_by":[],"cap":null,"lost":"doubled"},"hand_size":null,"direction":"clockwise","rank":{},"outbid":"may-pass","wishes":false,"bids":null,"muss":null,"hochzeit":{"when":"no","refused":"thrown-in"},"faces":"german","auction":"ranks","lengths":null,"blind_runners":false,"surrender":0,"marks":null,"du":false,"hand":"no","klopfen":false,"hausbock":false,"bock":{"on":[],"mode":"queue","by":"aces","thrown_in":0},"kreuz":{"on":[],"mode":"queue","by":"aces","thrown_in":0},"schieber":{"on":[],"mode":"queue","by":"aces","thrown_in":0},"teufel":{"on":[],"mode":"queue","by":"aces","thrown_in":0},"cap":null,"runners_claim":"before-next-deal","list":0,"sitters":[],"sitter_pays":false,"substitute":"own","table":{},"standings":[],"consequences":{}}','german',NULL);
CREATE TABLE rulings (id INTEGER PRIMARY KEY, deal_id INTEGER NOT NULL REFERENCES records (id) ON DELETE CASCADE, author TEXT NOT NULL, made_at TEXT NOT NULL, why TEXT NOT NULL, payments TEXT NOT NULL, cite TEXT) STRICT;
INSERT INTO "rulings" VALUES(1,4,'Anna','2026-11-16','agreed','[-40,-40,120,-40]','house');
CREATE TABLE run_facts (part INTEGER NOT NULL, player INTEGER, won_run INTEGER, first_deal INTEGER, last_deal INTEGER, length INTEGER, decided INTEGER) STRICT;
INSERT INTO "run_facts" VALUES(1,1,0,1,5,2,2);
INSERT INTO "run_facts" VALUES(2,2,0,5,5,1,2);
INSERT INTO "run_facts" VALUES(2,2,1,1,1,1,2);
INSERT INTO "run_facts" VALUES(3,3,0,1,5,2,2);
INSERT INTO "run_facts" VALUES(4,4,1,1,5,2,2);
CREATE TABLE runner_facts (part INTEGER NOT NULL, rules TEXT, unit TEXT, contract TEXT, runners INTEGER, runners_paid INTEGER, won INTEGER, deals INTEGER, priced INTEGER, runners_earned INTEGER, priced_total INTEGER) STRICT;
INSERT INTO "runner_facts" VALUES(0,'pub','ct','rufspiel',6,1,1,1,1,240,320);
INSERT INTO "runner_facts" VALUES(0,'pub','ct','solo',2,0,1,1,1,0,50);
CREATE TABLE seats (deal_id INTEGER NOT NULL REFERENCES deals (id) ON DELETE CASCADE, seat INTEGER NOT NULL, player_id INTEGER NOT NULL REFERENCES players (id), place INTEGER, dealt TEXT, held TEXT, declaring INTEGER CHECK (declaring IN (0, 1)), points INTEGER, tricks INTEGER, won INTEGER CHECK (won IN (0, 1)), payment INTEGER, total INTEGER, marks INTEGER, marks_total INTEGER, trumps INTEGER, lords INTEGER, PRIMARY KEY (deal_id, seat)) STRICT, WITHOUT ROWID;
INSERT INTO "seats" VALUES(1,1,1,1,'E8 H9 H8 G8 HU HK SA SU',NULL,0,30,2,0,-320,-320,NULL,NULL,5,2);
INSERT INTO "seats" VALUES(1,2,2,2,'EU G9 SO S9 EK GO GU EO',NULL,1,58,4,1,320,320,NULL,NULL,5,5);
INSERT INTO "seats" VALUES(1,3,3,3,'H7 E7 G7 GK GZ EA SK S8',NULL,0,15,1,0,-320,-320,NULL,NULL,1,0);
INSERT INTO "seats" VALUES(1,4,4,4,'HO GA HA S7 EZ HZ SZ E9',NULL,1,17,1,1,320,320,NULL,NULL,3,1);
INSERT INTO "seats" VALUES(2,1,1,4,NULL,NULL,NULL,NULL,NULL,NULL,0,-320,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(2,2,2,1,NULL,NULL,NULL,NULL,NULL,NULL,0,320,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(2,3,3,2,NULL,NULL,NULL,NULL,NULL,NULL,0,-320,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(2,4,4,3,NULL,NULL,NULL,NULL,NULL,NULL,0,320,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(3,1,1,4,NULL,NULL,NULL,NULL,NULL,NULL,0,-320,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(3,2,2,1,NULL,NULL,NULL,NULL,NULL,NULL,0,320,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(3,3,3,2,NULL,NULL,NULL,NULL,NULL,NULL,0,-320,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(3,4,4,3,NULL,NULL,NULL,NULL,NULL,NULL,0,320,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(4,1,1,3,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(4,2,2,4,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(4,3,3,1,NULL,NULL,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(4,4,4,2,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(5,1,1,2,NULL,NULL,0,NULL,NULL,0,-50,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(5,2,2,3,NULL,NULL,0,NULL,NULL,0,-50,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(5,3,3,4,NULL,NULL,0,NULL,NULL,0,-50,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(5,4,4,1,NULL,NULL,1,NULL,NULL,1,150,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE session_facts (part INTEGER NOT NULL, session INTEGER, rules TEXT, unit TEXT, deals INTEGER, agrees INTEGER, differs INTEGER, undecidable INTEGER, unplayable INTEGER, settled INTEGER, moved INTEGER, most INTEGER) STRICT;
INSERT INTO "session_facts" VALUES(1,1,'pub','ct',5,2,2,0,1,4,790,320);
CREATE TABLE sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, source_id INTEGER NOT NULL REFERENCES sources (id), line INTEGER, event TEXT, date TEXT, place TEXT, recorder TEXT, unit TEXT, rules TEXT NOT NULL, list TEXT, origin TEXT, licence TEXT, url TEXT, note TEXT, inferred TEXT, head TEXT NOT NULL, table_name TEXT, judged_by TEXT, label TEXT GENERATED ALWAYS AS (coalesce(event, 'session ' || id) || coalesce(' ' || date, '')) VIRTUAL) STRICT;
INSERT INTO "sessions" VALUES(1,1,1,'Stammtisch','2026-11-14',NULL,'Ben','ct','pub',NULL,NULL,NULL,NULL,NULL,NULL,'{"format":"schafkopf-record/1","event":"Stammtisch","date":"2026-11-14","recorder":"Ben","unit":"ct","rules":"pub","house":{"tariff":"10/20/50"},"players":["Anna","Ben","Cem","Dora"]}',NULL,NULL);
CREATE TABLE solo_facts (part INTEGER NOT NULL, rules TEXT, contract TEXT, trumps INTEGER, lords INTEGER, won INTEGER, deals INTEGER) STRICT;
CREATE TABLE source_card_facts (part INTEGER NOT NULL, source INTEGER, place INTEGER, pack INTEGER, cards INTEGER, hands INTEGER, matadors INTEGER, free_suits INTEGER, EA INTEGER, EZ INTEGER, EK INTEGER, EO INTEGER, EU INTEGER, E9 INTEGER, E8 INTEGER, E7 INTEGER, E6 INTEGER, GA INTEGER, GZ INTEGER, GK INTEGER, GO INTEGER, GU INTEGER, G9 INTEGER, G8 INTEGER, G7 INTEGER, G6 INTEGER, HA INTEGER, HZ INTEGER, HK INTEGER, HO INTEGER, HU INTEGER, H9 INTEGER, H8 INTEGER, H7 INTEGER, H6 INTEGER, SA INTEGER, SZ INTEGER, SK INTEGER, SO INTEGER, SU INTEGER, S9 INTEGER, S8 INTEGER, S7 INTEGER, S6 INTEGER) STRICT;
INSERT INTO "source_card_facts" VALUES(0,1,1,32,8,1,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,1,0,0,0,0,1,0,1,1,1,0,0,1,0,0,0,1,0,0,0,0);
INSERT INTO "source_card_facts" VALUES(0,1,2,32,8,1,2,0,0,0,1,1,1,0,0,0,0,0,0,0,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,1,0,0,0);
INSERT INTO "source_card_facts" VALUES(0,1,3,32,8,1,0,0,1,0,0,0,0,0,0,1,0,0,1,1,0,0,0,0,1,0,0,0,0,0,0,0,0,1,0,0,0,1,0,0,0,1,0,0);
INSERT INTO "source_card_facts" VALUES(0,1,4,32,8,1,0,0,0,1,0,0,0,1,0,0,0,1,0,0,0,0,0,0,0,0,1,1,0,1,0,0,0,0,0,0,1,0,0,0,0,0,1,0);
CREATE TABLE source_parts (source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE, part INTEGER NOT NULL, size INTEGER NOT NULL, raw BLOB NOT NULL, PRIMARY KEY (source_id, part)) STRICT;
CREATE TABLE sources (id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL, sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32), size INTEGER NOT NULL, format TEXT NOT NULL, engine TEXT NOT NULL, imported_at TEXT NOT NULL, deals INTEGER NOT NULL, raw BLOB NOT NULL, version TEXT, licence TEXT, origin TEXT, time_zone TEXT, withdrawn INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn IN (0, 1)), redacted_sha256 BLOB) STRICT;
INSERT INTO "sources" VALUES(1,'evening.toml',X'1FFCD45324209163388823F9C777EC58ABB22F337291C67F2FD715E2DA626441',1333,'record-toml','1','2026-11-23T21:10:55+00:00',5,X'789C8D944D6FDA401086EFFB2B467B8604D3F015A955696B61890307874B900F1B7B000BBC8BD6EBD234CA7FEFCC1A2FA9924310B2D7AF5F8F671ECFECD6D84A39F80AB2CEF76A7B30A76DDF626E6C711B4981BF51FB9BA95355E54AF248512887A40D07C3713F8AFAD19D6874E95DB993C23647ACF9E2D43C49713AAA67B47CBD9173AD95EC81FC819A4F3FB1E2D32F6395CCC4DE3435477D01A76CB9DD728468703B1CDC8E06125E459B135AD63980109B4D81EA9865A22C583C96B5EB7FE1A4596E8D3EB6D82B5DF80C04D0CFA7710FF1149219245358D0620DC912D239A46BD96B4DF40AF2AC6131837405E90CE2252C56B05843BCEA3C54C03D24138827B0A03F191E21A620146ADA79380332D1937348E81EB91F21798494AC333265E2A04D7E6801715D99504DEE4AA3033238A9BABE7003E6798117747E477B91899DAAF082086CB3AD4F251E61414C4CF3D47E978DFC1EDD0C81031C8C761EBEB3E5258736EB94CBE4D2927957082148A79C7F1A24C2C684A89E8084CA229E44295D761281232831110C50E2960219AF0FAE98218149669D44E89929715B7A50B5A3BE2B6E4EA6D48E739D8C3AC9365AB74D360E2EAA884144E34190D47385EDA39B3EE93DF087B0CCDEB4D4B5857CD306ACDA68949FF669E307453EEC117265A909CF68910EEEE6E320BEB1BB18FC85CEA8FFD214FEA1D1D43BBCB6C437F0CD174F64E072F62DE36C831F163CE252F9105D5699A081A2A9EA7AED059E9EC3CCF4E0BC47966598F29117BDA52A6B8BAA20A146E767F65DCEF00AAF19EF05A5DEBD8D7ED903DE451F5FA3AB9D45E4E0FFE57FC759F3211AB6ABAC0779D9F2F57B87E4177E0495F79900D5CF4A6D8E0662F94972938E5C872F13FF0043AF6CCF','0.1.0',NULL,NULL,NULL,0,NULL);
CREATE TABLE standing_facts (part INTEGER NOT NULL, session INTEGER, player INTEGER, for_seat INTEGER, unit TEXT, deals INTEGER, total INTEGER, won INTEGER, solos_won INTEGER, touts_won INTEGER, best_deal INTEGER, undecided INTEGER) STRICT;
INSERT INTO "standing_facts" VALUES(1,1,1,NULL,'ct',2,-370,0,0,0,-50,1);
INSERT INTO "standing_facts" VALUES(1,1,2,NULL,'ct',2,270,1,0,0,320,1);
INSERT INTO "standing_facts" VALUES(1,1,3,NULL,'ct',2,-370,0,0,0,-50,1);
INSERT INTO "standing_facts" VALUES(1,1,4,NULL,'ct',2,470,2,1,0,320,1);
CREATE TABLE stated (deal_id INTEGER PRIMARY KEY REFERENCES deals (id) ON DELETE CASCADE, points INTEGER, points_against INTEGER, seat_points TEXT, tricks INTEGER, seat_tricks TEXT, winners TEXT, won INTEGER CHECK (won IN (0, 1)), partner INTEGER, loser INTEGER, virgins TEXT, schneider INTEGER CHECK (schneider IN (0, 1)), schwarz INTEGER CHECK (schwarz IN (0, 1)), runners INTEGER, steps TEXT, price INTEGER, payments TEXT, totals TEXT, stock INTEGER, marks TEXT, result TEXT) STRICT;
INSERT INTO "stated" VALUES(1,75,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,6,NULL,160,'[-160,160,-160,160]',NULL,NULL,NULL,NULL);
INSERT INTO "stated" VALUES(4,NULL,NULL,NULL,NULL,NULL,NULL,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'[-50,-50,150,-50]',NULL,NULL,NULL,NULL);
INSERT INTO "stated" VALUES(5,NULL,NULL,NULL,NULL,NULL,NULL,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'[-70,-50,-50,150]',NULL,NULL,NULL,NULL);
CREATE TABLE tricks (deal_id INTEGER NOT NULL REFERENCES deals (id) ON DELETE CASCADE, trick INTEGER NOT NULL, leader INTEGER, winner INTEGER, points INTEGER, cards TEXT NOT NULL, PRIMARY KEY (deal_id, trick)) STRICT, WITHOUT ROWID;
INSERT INTO "tricks" VALUES(1,1,1,2,16,'SU EO H7 HA');
INSERT INTO "tricks" VALUES(1,2,2,1,11,'S9 S8 S7 SA');
INSERT INTO "tricks" VALUES(1,3,1,4,17,'HU EU GZ HO');
INSERT INTO "tricks" VALUES(1,4,4,2,16,'SZ G8 GU SK');
INSERT INTO "tricks" VALUES(1,5,2,3,15,'EK EA E9 E8');
INSERT INTO "tricks" VALUES(1,6,3,2,13,'E7 EZ H8 GO');
INSERT INTO "tricks" VALUES(1,7,2,2,13,'SO G7 HZ H9');
INSERT INTO "tricks" VALUES(1,8,2,1,19,'G9 GK GA HK');
CREATE TABLE unfinished (work TEXT PRIMARY KEY, facts TEXT) STRICT, WITHOUT ROWID;
CREATE TABLE waiting (player INTEGER PRIMARY KEY) STRICT;
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX sources_path ON sources (path);
CREATE INDEX sessions_source ON sessions (source_id);
CREATE INDEX sessions_event ON sessions (event);
CREATE INDEX records_session ON records (session_id);
CREATE INDEX records_own_id ON records (own_id) WHERE own_id IS NOT NULL;
CREATE INDEX records_play ON records (substr(play_hash, 1, 4)) WHERE play_hash IS NOT NULL;
CREATE INDEX records_hash ON records (substr(hash, 1, 4));
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
CREATE INDEX deals_session ON deals (session_id);
CREATE INDEX deals_ruleset ON deals (ruleset_id);
CREATE INDEX deals_contract_verdict ON deals (contract, verdict);
CREATE INDEX deals_doubtful ON deals (verdict) WHERE verdict <> 'agrees';
CREATE INDEX seats_player ON seats (player_id);
CREATE INDEX findings_source ON findings (source_id);
CREATE INDEX findings_deal ON findings (deal_id);
CREATE INDEX findings_rule ON findings (rule);
CREATE INDEX corrections_deal ON corrections (deal_id);
CREATE INDEX rulings_deal ON rulings (deal_id);
CREATE INDEX notes_session ON notes (session_id);
CREATE INDEX notes_deal ON notes (deal_id);
CREATE INDEX notes_kind ON notes (kind);
CREATE INDEX contract_facts_part ON contract_facts (part);
CREATE INDEX point_facts_part ON point_facts (part);
CREATE INDEX dealt_facts_part ON dealt_facts (part);
CREATE INDEX multiplier_facts_part ON multiplier_facts (part);
CREATE INDEX solo_facts_part ON solo_facts (part);
CREATE INDEX runner_facts_part ON runner_facts (part);
CREATE INDEX place_facts_part ON place_facts (part);
CREATE INDEX role_facts_part ON role_facts (part);
CREATE INDEX player_facts_part ON player_facts (part);
CREATE INDEX pair_facts_part ON pair_facts (part);
CREATE INDEX run_facts_part ON run_facts (part);
CREATE INDEX called_facts_part ON called_facts (part);
CREATE INDEX away_facts_part ON away_facts (part);
CREATE INDEX knock_facts_part ON knock_facts (part);
CREATE INDEX kontra_facts_part ON kontra_facts (part);
CREATE INDEX doubling_facts_part ON doubling_facts (part);
CREATE INDEX hand_facts_part ON hand_facts (part);
CREATE INDEX luck_facts_part ON luck_facts (part);
CREATE INDEX declarer_hand_facts_part ON declarer_hand_facts (part);
CREATE INDEX session_facts_part ON session_facts (part);
CREATE INDEX occasion_facts_part ON occasion_facts (part);
CREATE INDEX dispute_facts_part ON dispute_facts (part);
CREATE INDEX source_card_facts_part ON source_card_facts (part);
CREATE INDEX dealer_card_facts_part ON dealer_card_facts (part);
CREATE INDEX recorder_card_facts_part ON recorder_card_facts (part);
CREATE INDEX standing_facts_part ON standing_facts (part);
CREATE INDEX result_facts_part ON result_facts (part);
CREATE TRIGGER "notes_ai" AFTER INSERT ON "notes" BEGIN
  INSERT INTO "notes_fts" (rowid, "text", "who") VALUES (new.rowid, new."text", new."who");
END;
CREATE TRIGGER "notes_ad" AFTER DELETE ON "notes" BEGIN
  INSERT INTO "notes_fts" ("notes_fts", rowid, "text", "who") VALUES('delete', old.rowid, old."text", old."who");
END;
CREATE TRIGGER "notes_au" AFTER UPDATE ON "notes" BEGIN
  INSERT INTO "notes_fts" ("notes_fts", rowid, "text", "who") VALUES('delete', old.rowid, old."text", old."who");
  INSERT INTO "notes_fts" (rowid, "text", "who") VALUES (new.rowid, new."text", new."who");
END;
CREATE VIEW ledger AS
    SELECT
        d.session_id AS session,
        d.id AS deal,
        d.number,
        s.seat,
        p.name AS player,
        s.payment,
        s.total,
        CAST(json_extract(st.payments, '$[' || (s.seat - 1) || ']') AS INTEGER) AS stated_payment,
        CAST(json_extract(st.totals, '$[' || (s.seat - 1) || ']') AS INTEGER) AS stated_total,
        d.pot,
        coalesce(e.unit, r.unit) AS unit,
        d.rounds,
        CASE WHEN d.state_after IS NOT NULL AND json_type(d.state_after, '$.stock') IS NULL THEN 0
            ELSE CAST(json_extract(d.state_after, '$.stock') AS INTEGER) END AS stock_after,
        CASE WHEN d.state_after IS NOT NULL AND json_type(d.state_after, '$.hausbock') IS NULL THEN 0
            ELSE CAST(json_extract(d.state_after, '$.hausbock') AS INTEGER) END AS hausbock_after,
        s.marks,
        s.marks_total,
        d.chalk AS chalk_after,
        CAST(json_extract(ru.payments, '$[' || (s.seat - 1) || ']') AS INTEGER) AS ruled_payment,
        CASE WHEN json_extract(r.house, '$.marks') IS NULL
            THEN coalesce(CAST(json_extract(ru.payments, '$[' || (s.seat - 1) || ']') AS INTEGER), s.payment, CAST(json_extract(st.payments, '$[' || (s.seat - 1) || ']') AS INTEGER))
            END AS settled_payment,
        coalesce(CAST(json_extract(json_extract(d.state_after, '$.settled'), '$[' || (s.seat - 1) || ']') AS INTEGER), s.total) AS settled_total
    FROM deals d
    JOIN sessions e ON e.id = d.session_id
    JOIN seats s ON s.deal_id = d.id
    JOIN players p_as ON p_as.id = s.player_id
    JOIN players p ON p.id = coalesce(p_as.alias_of, p_as.id)
    LEFT JOIN rulesets r ON r.id = d.ruleset_id
    LEFT JOIN stated st ON st.deal_id = d.id
    LEFT JOIN rulings ru ON ru.id = (SELECT max(id) FROM rulings WHERE deal_id = d.id);
CREATE VIEW runner_stats AS
    SELECT
        contract,
        runners,
        runners_paid,
        sum(deals) AS deals,
        sum(won * deals) AS won,
        round(1.0 * sum(won * deals) / sum(CASE WHEN won IS NOT NULL THEN deals END), 3) AS won_rate
    FROM runner_facts
    GROUP BY contract, runners, runners_paid;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('sources',1);
INSERT INTO "sqlite_sequence" VALUES('sessions',1);
INSERT INTO "sqlite_sequence" VALUES('records',5);
CREATE VIRTUAL TABLE notes_fts USING FTS5 (
        text, who, tokenize='unicode61 remove_diacritics 2', content="notes", content_rowid="id"
    );
INSERT INTO notes_fts (notes_fts) VALUES ('rebuild');
COMMIT;
