import { splitWords } from './jsonTree.ts';

/*
 * Assumptions about records in answers, which the specification does not show (spec §2, §3, §7). Names are compared
 * without case, underscores or dashes; the earlier in a list, the better. Where names do not help, structure decides:
 * an identifier is any text of the shape <KIND>-<integer>. The meanings of state words stand in stateWords.ts, the
 * assumptions about answers that are no records in answers/serviceAnswer.ts.
 */
export const assumed = {
  /** Keys of a record's own identifier in records of any kind. */
  plainId: splitWords('id identifier reference ref self oid objectid key uid'),
  /** Keys that name the kind of a record and hold its own identifier. In another record, they refer to this one. */
  id: splitWords(
    'cloneid serverid databaseid dbid snapshotid environmentid hostid installid userid projectid clone server database snapshot environment host install user project',
  ),
  /** Keys of the requested record in an answer, beside facts about the answer. */
  wrapper: splitWords('object data result record item response payload body content value entity resource'),
  /** Keys of facts about the answer itself. */
  envelope: splitWords(
    'objecttype type kind status statuscode httpstatus code success ok message msg detail timestamp time requestid traceid correlationid path total totalcount count size found exists responsecode responsemessage resultcode page pages limit offset links meta error errors warnings version',
  ),
  /** Keys of references to other records, and beginnings of such keys. */
  reference: splitWords(
    'source parent origin clonedfrom createdfrom target from base owner createdby template master children dependents clones snapshots links',
  ),
  name: splitWords(
    'name displayname databasename dbname servername clonename label title username login hostname dbuniquename instancename address sid host',
  ),
  /** Keys of a host's name. Names of the host itself come before `servername`, and those of databases do not count. */
  hostName: splitWords('name displayname hostname environmentname label title address host ipaddress servername'),
  /** More keys of a name, by kind of record. */
  nounName: {
    project: splitWords('projectname'),
    snapshot: splitWords('snapshotname'),
    install: splitWords('installname installationname'),
    environmentUser: splitWords('environmentusername accountname osusername'),
  },
  /** Ends of the key of a name beside a reference: `environmentName` beside `environment` or `environmentId`. */
  nameBeside: splitWords('name label title'),
  referenceEnd: /(id|ref|reference)$/,
  /** Keys that tell records without a name apart, such as installations. */
  remainder: splitWords('installpath oraclehome home path basedir version description'),
  error: splitWords(
    'error errormessage errortext failurereason failuremessage failure lasterror lasterrormessage lastfailure fault problem errors exception',
  ),
  /** Keys whose content is not about the record itself. */
  aside: splitWords('state status lifecycle health error lasterror failure errors vendor type version os ssh'),
  /** Keys of the person who asked for a record or owns it, as plain text. */
  askedBy: /^(owner|createdby|requestedby|requester|creator|clonedby)(name|login|username)?$/,
  state: splitWords(
    'state status lifecyclestate lifecyclestatus runstate runstatus databasestate databasestatus dbstate dbstatus serverstate serverstatus clonestate clonestatus currentstate currentstatus actualstate actualstatus runtimestate runtimestatus instancestate instancestatus environmentstate environmentstatus hoststate hoststatus nodestate nodestatus servicestate servicestatus powerstate powerstatus power openmode openstate phase lifecycle operationalstate operationalstatus operatingstate overallstate overallstatus generalstate generalstatus lifecyclephase statename statusname statelabel statuslabel statevalue statusvalue statecode stateid statusid',
  ),
  /** Keys that count as a state only where no other key does. */
  weakState: splitWords('availability health healthstate healthstatus condition'),
  /** Words there that say that all is well, and not whether the record is made, runs or is enabled. */
  well: /^(green|healthy|good|fine|normal|ok|okay|optimal)$/i,
  /** Words in the place of a state that say no more than that. */
  there: /^(available|existing|valid)$/i,
  /**
   * Keys of the word inside a state that is an object. Behind the state's key, they name the word beside a state that
   * is a number.
   */
  stateWord: splitWords('name value current label text description display state status word code id'),
  /** Keys whose content has a state of its own, which says nothing of the record's. */
  otherState:
    /^(last|latest|previous|next|desired|target)|backup|replication|policy|schedule|monitor|agent|license|alert|subscription/,
  /** Keys of the work in progress, beside a state that does not tell it: its name, or yes. */
  underWay:
    /^(busywith|busydoing|doing|underway|workingon|currentwork|currentlydoing|transition|pending|executing|ongoing|inflight|(work|job|task|operation|action|activity)(inprogress|underway|inflight))$/,
  /**
   * Keys of a text about the work of now, such as `currentOperation`, where there is any, and texts there that tell how
   * much goes on.
   */
  now: /^(current|running|active|ongoing|pending|inflight)?(job|task|operation|activity|action|workflow)$|^in(progress|process)$/,
  level: /^(idle|none|no|low|medium|moderate|high|normal|light|heavy|[\d.]+ ?%?)$/i,
  /** Keys of the name of that work, where it is an object without a state and a time. */
  workOfNow: splitWords('current name type kind operation op'),
  /** Keys of a report of present or past work on a record, or of a list of reports. */
  report:
    /^(last|latest|current|recent|active|running|pending|ongoing|previous|completed|open)*(jobs?|tasks?|operations?|activit(?:y|ies)|actions?|workflows?|history|events?)(info|status|details?|history|reports?|results?|list|log|records?|progress)?$|^(?:last|latest|current)(?:backup|restore|recovery|refresh|reset|sync|discovery|conversion)(?:info|details?)?$/,
  /** Keys of single facts of a report, such as `lastJobStatus` and `task_error`. */
  flatReport:
    /^((?:last|latest|current|recent|active|running|pending|ongoing|previous)*(?:job|task|operation|activity|action|workflow|event))(state|status|jobstate|jobstatus|taskstate|taskstatus|jobtype|result|resultcode|outcome|conclusion|type|kind|name|action|operation|title|description|number|error|errormessage|message|reason|details?|text|id|by|user|username|owner|startedby|initiator|initiatedby|requestedby|createdby|submittedby|created|createdat|start|started|startedat|starttime|begin|begunat|end|ended|endedat|endtime|finished|finishedat|finishtime|completedat|completedon|completiontime|time|progress|phase)$|^((?:last|latest|current)(?:backup|restore|recovery|refresh|reset|sync|discovery|conversion))(state|status|result|outcome|error|errormessage|message)$/,
  /** Keys inside a report. */
  reported: {
    id: splitWords('id jobid taskid operationid uuid key number identifier reference'),
    kind: splitWords(
      'type kind operation op action name jobtype jobkind tasktype operationtype command what title job task activity event eventtype',
    ),
    state: splitWords(
      'state status result resultcode outcome conclusion phase jobstate jobstatus taskstate taskstatus finalstatus completionstatus success issuccess succeeded successful issuccessful failed ok',
    ),
    /** Of these, keys of how work ended: `state` may say only that it did. */
    result: splitWords('result resultcode outcome conclusion finalstatus completionstatus'),
    /** Keys of numbers that are 0 where work ended well. */
    faults: splitWords('resultcode exitcode returncode errorcount failurecount'),
    by: splitWords(
      'user username owner by startedby initiator initiatedby requestedby createdby submittedby login actor',
    ),
    began: splitWords(
      'begun startedat starttime started start startdate starttimestamp begin began begunat beginning startts createdat created creationtime submittedat submitted queuedat requestedat timestamp time at date when',
    ),
    ended: splitWords(
      'endedat endtime ended end enddate endtimestamp finishedat finished finishtime completedat completedon completed completiontime stoppedat stop stoptime doneat',
    ),
  },
  /** Keys of a remark beside a state. It counts as the error's text where the state says failure, or says nothing. */
  remark: splitWords('message msg errormessage statusmessage statetext text reason detail details'),
  /** Keys of the text inside an error or a failed report, where a description tells of nothing else. */
  explanation: splitWords(
    'message msg errormessage statusmessage resultmessage statetext statusdetail statusdetails text reason detail details summary description note',
  ),
  port: splitWords('port portnumber listenport serverport listenerport tcpport databaseport dbport'),
  time: splitWords(
    'createdat created creationtime creationtimestamp creationdate createtime createddate createdtime createdon createdts creationts birth birthtime timestamp snapshottime snaptime takenat taken time date datetime',
  ),
  /** Other keys of a time, in an object with none of those: where it shows just one such time, or when work began, that counts. */
  looseTime: /(time|date|stamp|ts|at|on|when|epoch|millis|ms|instant|moment)$/,
  beginning: /^(start|begin|began)/,
  /** Keys of times that are not those of its making. */
  notMade: /expir|until|retain|retention|delet|remov|purg|valid|seen|updat|modif|access|restore[ds]|next|schedul/,
  /** Words that stand for the state of a deleted record, yes-or-no keys, and keys of a time, where a service keeps such records. */
  deletedState: /^(is[ _-]?)?(deleted|removed|dropped|destroyed|purged|erased|tombstoned?)$/i,
  deleted: /^(is)?(deleted|removed|dropped|destroyed|purged|erased|tombstoned?)$/,
  deletedAt: /^(deleted|removed|dropped|destroyed|purged|erased)(at|on|time|timestamp|date)$/,
  kindOfClone: splitWords('clonetype clonekind kind type mode storage storagetype'),
  virtual: /virtual|thin/i,
  physical: /physical|full|thick/i,
  /** Yes-or-no keys that say the kind of a clone. */
  isVirtual: /^(is)?virtual(clone)?$/,
  isPhysical: /^(is)?physical(clone)?$/,
  /** Keys of the source of a database. */
  source: /source|parent|origin|from|container/,
  /** Keys of the environment of a record, the best first. */
  environment: [/^target/, /^(?!source|parent|origin)/, /./],
  /** Keys of times at which something was done. */
  change: /refresh|reset|restor|recover|sync|backup|backedup|snap|log|updat|modif|chang|discover|scan/,
  /** Keys of numbers that count how often something was done to the record, except keys of a mere `measure`. */
  counter: /count|counter|total|times|runs|number|list$|s$/,
  measure: /size|bytes|duration|seconds|hours|days|percent|progress|retention|max|min|limit|id$/,
  life: /seen|heartbeat|ping|alive|login|poll|check/,
  /** Keys of the lists of a database's parts, by type of part. */
  inside: {
    database: splitWords('databases schemas schemata databasenames schemanames databaselist schemalist userdatabases'),
    pdb: splitWords('pdbs pluggabledatabases pluggables pdbnames pdblist'),
    tablespace: splitWords('tablespaces tablespacenames tablespacelist'),
    table: splitWords('tables tablenames tablelist'),
  },
  partName: splitWords('name tablename schemaname pdbname tablespacename databasename label title'),
  total: splitWords(
    'total totalcount totalelements totalitems totalrecords totalresults totalrows totalsize totalhits recordstotal odatacount xtotalcount xtotal',
  ),
  pages: splitWords('totalpages pagecount pages numpages numberofpages lastpage xtotalpages'),
  more: splitWords(
    'hasmore more hasnext hasnextpage next nextpage nextcursor nextlink nextpagetoken nexttoken nextmarker nextoffset nexturl nextpageurl odatanextlink xnextpage continue continuation continuationtoken remainingitemcount truncated istruncated incomplete partial',
  ),
  /** Keys of whether this is the last page. */
  last: /^(is)?last(page)?$/,
} as const;
