import { splitWords } from './jsonTree.ts';

/*
 * What Dolly assumes about records in answers, which the specification does not show (spec §2, §3, §7). Names are compared
 * without case, underscores or dashes; the earlier in a list, the better. Structure decides where names do not help: an
 * identifier is whatever has the shape <KIND>-<integer>. How the words of a state are understood stands in states.ts, what
 * is assumed of answers that are no records in answers.ts.
 */
export const assumed = {
  /** Keys under which a record of any kind carries its own identifier. */
  plainId: splitWords('id identifier reference ref self oid objectid key uid'),
  /** Keys under which it does so by what it is; in another record, they speak of this one. */
  id: splitWords(
    'cloneid serverid databaseid dbid snapshotid environmentid hostid installid userid projectid clone server database snapshot environment host install user project',
  ),
  /** Keys of an answer under which the record stands that was asked for, beside what is said about the answer. */
  wrapper: splitWords('object data result record item response payload body content value entity resource'),
  /** Keys under which an answer speaks of itself. */
  envelope: splitWords(
    'objecttype type kind status statuscode httpstatus code success ok message msg detail timestamp time requestid traceid correlationid path total totalcount count size found exists responsecode responsemessage resultcode page pages limit offset links meta error errors warnings version',
  ),
  /** Keys under which a record speaks of another one. A key that begins with one of these does, too. */
  reference: splitWords(
    'source parent origin clonedfrom createdfrom target from base owner createdby template master children dependents clones snapshots links',
  ),
  name: splitWords(
    'name displayname databasename dbname servername clonename label title username login hostname dbuniquename instancename address sid host',
  ),
  /** A host is known by where it is, rather than by the name of what runs on it. */
  hostName: splitWords('name displayname hostname environmentname label title address host ipaddress servername'),
  /** What else the name is called in a record of such a kind. */
  nounName: {
    project: splitWords('projectname'),
    snapshot: splitWords('snapshotname'),
    install: splitWords('installname installationname'),
    environmentUser: splitWords('environmentusername accountname osusername'),
  },
  /** Ends of the key of a name that stands beside a reference: `environmentName` beside `environment` or `environmentId`. */
  nameBeside: splitWords('name label title'),
  referenceEnd: /(id|ref|reference)$/,
  /** What tells an installation from another one that has no name. */
  remainder: splitWords('installpath oraclehome home path basedir version description'),
  error: splitWords('error errormessage errortext failurereason failure lasterror fault problem errors exception'),
  /** What stands in an error's place where there is none. */
  noError: /^(none|no errors?|null|n\/?a|ok|success|0|-+)$/i,
  /** Keys whose inside is not about the record itself. */
  aside: splitWords('state status lifecycle health error lasterror failure errors vendor type version os ssh'),
  /** Keys of whoever asked for a record, as plain text. */
  askedBy: /^(owner|createdby|requestedby|requester|creator|clonedby)(name|login|username)?$/,
  state: splitWords(
    'state status lifecyclestate lifecyclestatus runstate runstatus databasestate databasestatus dbstate dbstatus serverstate serverstatus clonestate clonestatus currentstate currentstatus actualstate actualstatus runtimestate runtimestatus instancestate instancestatus environmentstate environmentstatus hoststate hoststatus nodestate nodestatus servicestate servicestatus powerstate powerstatus openmode openstate phase lifecycle operationalstate operationalstatus operatingstate overallstate overallstatus generalstate generalstatus lifecyclephase',
  ),
  /** What counts as a state only where nothing else does. */
  weakState: splitWords('availability health healthstate healthstatus condition'),
  /** Inside a state that is an object; the same, behind the state's key, beside a state that is a number. */
  stateWord: splitWords('name value current label text description display state status word code id'),
  /** Keys whose inside has a state of its own, which says nothing of the record's. */
  otherState:
    /^(last|latest|previous|next|desired|target)|backup|replication|policy|schedule|monitor|agent|license|alert|subscription/,
  /** Keys under which a text names the work that goes on, beside a state that does not tell it. */
  underWay: /^(busywith|busydoing|doing|underway|workingon|currentwork|workinprogress|currentlydoing)$/,
  /** Keys under which a record reports on work that is or was done on it, alone or in a list. */
  report:
    /^(last|latest|current|recent|active|running|pending|ongoing|previous|completed|open)*(jobs?|tasks?|operations?|activit(?:y|ies)|actions?|workflows?|history)(info|status|details?|history|reports?|results?|list|log|records?|progress)?$|^(?:last|latest|current)(?:backup|restore|recovery|refresh|reset|sync|discovery|conversion)(?:info|details?)?$/,
  /** The same where each fact of one report is a key of its own: `lastJobStatus`, `task_error`. */
  flatReport:
    /^((?:last|latest|current|recent|active|running|pending|ongoing|previous)*(?:job|task|operation|activity|action|workflow))(state|status|result|resultcode|outcome|conclusion|type|kind|name|action|operation|title|description|number|error|errormessage|message|reason|id|by|user|owner|start|started|startedat|starttime|begin|begunat|end|ended|endedat|endtime|finished|finishedat|completedat|completiontime|time|progress|phase)$|^((?:last|latest|current)(?:backup|restore|recovery|refresh|reset|sync|discovery|conversion))(state|status|result|outcome|error|errormessage|message)$/,
  /** Inside a report. */
  reported: {
    id: splitWords('id jobid taskid operationid uuid key number identifier reference'),
    kind: splitWords(
      'type kind operation action name jobtype jobkind tasktype operationtype command what title job task activity',
    ),
    state: splitWords(
      'state status result outcome phase jobstate jobstatus taskstate taskstatus success succeeded successful failed ok',
    ),
    by: splitWords(
      'user username owner by startedby initiator initiatedby requestedby createdby submittedby login actor',
    ),
    began: splitWords(
      'begun startedat starttime started start startdate starttimestamp begin began begunat beginning startts createdat created creationtime submittedat submitted queuedat requestedat timestamp time at date when',
    ),
    ended: splitWords(
      'endedat endtime ended end enddate endtimestamp finishedat finished finishtime completedat completed completiontime stoppedat doneat',
    ),
  },
  /** Said beside a state; counts as the error's text only where the state itself says failure. */
  remark: splitWords('message errormessage statusmessage statetext text reason detail details description note'),
  port: splitWords('port portnumber listenport serverport listenerport tcpport databaseport dbport'),
  time: splitWords(
    'createdat created creationtime creationtimestamp creationdate createtime createddate createdtime createdon timestamp snapshottime snaptime takenat taken time date datetime',
  ),
  kindOfClone: splitWords('clonetype clonekind kind type mode storage storagetype'),
  virtual: /virtual|thin/i,
  physical: /physical|full|thick/i,
  /** Yes-or-no keys that say the kind of a clone. */
  isVirtual: /^(is)?virtual(clone)?$/,
  isPhysical: /^(is)?physical(clone)?$/,
  /** Keys under which a database speaks of what it was made from. */
  source: /source|parent|origin|from|container/,
  /** Keys under which a record speaks of the environment that it is on, the best first. */
  environment: [/^target/, /^(?!source|parent|origin)/, /./],
  /** Keys of times at which something was done. */
  change: /refresh|reset|restor|recover|sync|backup|backedup|log|updat|modif|chang|discover|scan/,
  /** Keys of numbers that count how often something was done to the record, and of those that only measure it. */
  counter: /count|counter|total|times|runs|number|s$/,
  measure: /size|bytes|duration|seconds|percent|progress|retention|max|min|limit|id$/,
  life: /seen|heartbeat|ping|alive|login|poll|check/,
  /** Keys of lists of what is inside a database, by what it is. */
  inside: {
    database: splitWords('databases schemas schemata databasenames schemanames databaselist schemalist userdatabases'),
    pdb: splitWords('pdbs pluggabledatabases pluggables pdbnames pdblist'),
    tablespace: splitWords('tablespaces tablespacenames tablespacelist'),
    table: splitWords('tables tablenames tablelist'),
  },
  partName: splitWords('name tablename schemaname pdbname tablespacename databasename label title'),
  total: splitWords('total totalcount totalelements totalitems totalrecords totalresults'),
  pages: splitWords('totalpages'),
  more: splitWords(
    'hasmore more hasnext next nextpage nextcursor nextlink nextpagetoken continuation continuationtoken truncated istruncated incomplete partial',
  ),
} as const;
