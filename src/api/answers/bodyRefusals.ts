import { parseIdentifier } from '../identifiers.ts';
import { stateWords } from '../reading/stateWords.ts';
import { hasSign, type RefusalSign, refusalNames, saysAbsent } from './refusalWords.ts';

/*
 * Whether a refusal is of the form of a body, by its words. An explicit word on the body counts over all others; then
 * what a sentence is about, rather than each way to say it: a right, the record, a time, work.
 */

/** What only a body, or its form, is called. */
const form = String.raw`(?:body|payload|json|(?:content|media)[- ]?type|quot(?:e|es|ation marks?)|(?:application|text)\/[\w.+-]+)`;
/** What a request is called as the thing that is read. */
const thing = `(?:${form}|request|input)`;
const reading = '(?:pars(?:e|ed|ing)|decod\\w+|deseriali[sz]\\w+|unmarshal\\w*|read|reading|underst\\w+|convert\\w*)';
/** Words between a verb or an adjective, and the thing that it is about. */
const between = String.raw`(?:(?:the|an?|your|its|this|of|in|http|client|incoming|required|request|end|input|message)\W+){0,5}`;
/** The same between a thing, and what is said of it: a quoted type, another word for the thing, a form of “be”. */
const copula = String.raw`^(?:[^\w'"]*(?:'[^']*'|"[^"]*"|text|string|document|data|value|input|body|content|header|is|was|has|must|should|can|to|be|been|it|an?|json|valid|plain)){0,12}\W*`;
const lacks =
  '(?:in(?:valid|correct)|malformed|unsupported|un(?:readable|pars[e]?able)|missing|empty|required|expected|allowed|supported|accepted|acceptable|not|cannot|could|string|object|array|number|text)';
const misread = `(?:malformed|un(?:readable|pars[e]?able)|(?:(?:can ?not|can.t|could(?: not|n.t)) be|not|(?:was|is)(?: not|n.t)) ${reading})`;

/** Signs that the body could not be read. */
const unread: readonly RefusalSign[] = [
  [
    /\b(?:can ?not|can.t|could(?:n.t| not)|unable|fail\w*|errors?|exception)\b/i,
    new RegExp(`\\b${reading} ${between}${thing}\\b`, 'i'),
  ],
  [/\bprocess\b/i, new RegExp(`^ ${between}${form}\\b`, 'i')],
  [new RegExp(`\\b${reading} ${between}${thing}\\b`, 'i'), /\b(?:fail\w*|errors?|exception)\b/i],
  [new RegExp(`\\b${form}`, 'i'), new RegExp(`${copula}${lacks}\\b`, 'i')],
  [/\bjson\b/i, /^.{0,4}\b(?:pars\w+|syntax|decod\w+|deseriali\w+)?.?(?:errors?|exception|fail\w*)\b/i],
  [/\b(?:json\w+(?:exception|error)|http(?:message|mediatype)not\w+exception)\b/i],
  [/\brequest\b/i, new RegExp(`${copula}${misread}\\b`, 'i')],
  [
    /\b(?:invalid|malformed|bad|wrong|un(?:supported|known|readable|terminated|closed)|missing|empty|no|not(?: a)? valid|illegal|expect(?:ed|ing)|only|use)\b/i,
    new RegExp(`^\\W*${between}${form}`, 'i'),
  ],
  [/\bunexpected (?:end|token|character|symbol)\b/i, new RegExp(`\\b(?:in|of) ${between}${thing}\\b`, 'i')],
  [/\bmalformed request\b/i],
];
/** Those who answer the service, and what they give: something else than the body was read there. */
const elsewhere =
  /\b(?:agents?|scripts?|output|responses?|repl(?:y|ies|ied)|answer\w*|return\w*|printed|wrote|files?|logs?|config\w*)\b/i;

/** Whether the words of a refusal say that the body could not be read. */
export function saysUnread(said: string): boolean {
  return said.split('\n').some(line => hasSign(line, unread) && !elsewhere.test(line));
}

/** Whether the words of a refusal name the body, and nothing that would be refused in either form. */
export function namesBodyAlone(said: string): boolean {
  return new RegExp(`\\b${form}\\b`, 'i').test(said) && !elsewhere.test(said) && !namesOther(said);
}

const states = [...stateWords.disabled, ...stateWords.stopped].filter(word => word !== 'disable').join('|');
/** What is refused in either form. */
const others: readonly RefusalSign[] = [
  // Who may do it.
  [
    /\b(?:access|(?:un)?authori[sz]\w*|permi(?:t|ss)\w*|privileg\w*|entitle\w*|roles?|rights?|allow\w*|forbid\w*|den(?:y|ied|ies)|polic(?:y|ies)|admin\w*|operators?|owners?|dba|appro\w+|licen[cs]\w*|insufficient|prohibit\w*|restrict\w*|log ?in|sign(?:ed)? ?in)\b/i,
  ],
  [/\b(?:you|user|account|caller)\b/i, /^.{0,20}\b(?:not|cannot|no)\b/i],
  // A time: what is so now may be otherwise later.
  [/\b(?:already|currently|still|now|yet|until|wait|later|being|first\W*$)/i],
  // Work, and what it needs.
  [
    /\b(?:jobs?|tasks?|another|queue\w*|pending|(?:in|under) (?:use|progress|way|maintenance)|lock\w*|busy|depend\w*|conflict\w*|state)\b/i,
  ],
  // What a thing is, has or does.
  [/\bit(?: is| was| has|.s)\b/i],
  [
    new RegExp(
      `\\b(?:is|are|was|were|be|been|not) (?:not )?(?:${states}|running|active|online|enabled|started|ready|(?!missing|string|expecting)\\w+ing)\\b`,
      'i',
    ),
  ],
  [new RegExp(`(?<![\\w/.])(?:${states}|running|active|enabled|started)\\W*$`, 'i')],
  // The record, but neither a part of a path or of a name in code, nor the text that names it.
  [
    /(?<![\w/.`]|\b(?:invalid|malformed|bad|wrong) )\b(?:databases?|clones?|environments?|hosts?|snapshots?)\b(?![\w/.`]|[-_ ]?(?:id\w*|names?|fields?|param\w*|keys?|values?|header)\b| (?:is|was|must|may|should|can) ?(?:not )?(?:be )?(?:required|blank|null|empty|missing|given))/i,
  ],
  [/\bnothing\b/i, /^.{0,10}\bfound\b/i],
];

/** Whether the words of a refusal name a right, a state or a record. */
export function namesOther(said: string): boolean {
  const isRecord = said.split(/[^\w-]+/).some(word => parseIdentifier(word)?.noun !== undefined);
  return isRecord || hasSign(said, others) || refusalNames('right', said) || saysAbsent(said);
}
