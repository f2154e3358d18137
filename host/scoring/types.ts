// Inputs and results of the verification score.
// Keeps: field names of the inputs are those of the wire (protocol 4.4), so a parsed body can be passed unchanged.
// Figures are integers in basis points; ratios appear only in the API objects of report.ts.

/** The part of a task against which work is measured. Source: protocol 3.4 "Contract". */
export interface TaskContract {
  readonly title: string;
  readonly description: string;
  /** Lower-cased and trimmed, as stored. */
  readonly category: string;
  readonly success_criteria: readonly string[];
  readonly required_checks: readonly string[];
}

export type OutputType = 'text' | 'json' | 'code' | 'data' | 'image';

/** Evidence as sent by the worker: shown, and never an input of the score. */
export interface SentEvidence {
  readonly hash?: string | undefined;
  readonly output_type?: OutputType | undefined;
  /** Bytes. */
  readonly output_size?: number | undefined;
  readonly summary?: string | undefined;
  readonly input_hash?: string | undefined;
  readonly output_preview?: string | undefined;
  readonly output_url?: string | undefined;
  readonly metrics?: Readonly<Record<string, string>> | undefined;
}

/** The fields of POST /v1/tasks/{id}/submit; an empty string counts as absent. */
export interface Submission {
  readonly result_content?: string | undefined;
  readonly result_encrypted?: boolean | undefined;
  readonly result_hash?: string | undefined;
  readonly result_note?: string | undefined;
  readonly result_uri?: string | undefined;
  readonly evidence?: SentEvidence | undefined;
}

export type VerifierName = 'code' | 'data' | 'content' | 'keyword';

/** The complete result of scoring one submission. Every number is an integer in 0..10000 basis points. */
export interface Verification {
  readonly verifier: VerifierName;
  readonly thresholdBp: number;
  /** Components of the verifier in the order of its table. */
  readonly components: Readonly<Record<string, number>>;
  readonly relevanceBp: number;
  readonly completenessBp: number;
  readonly qualityBp: number;
  readonly overallBp: number;
  /** All gates in the order of their table, `threshold` last. */
  readonly gates: Readonly<Record<string, boolean>>;
  /** Failed gates, then `below_threshold`, then failed required checks. */
  readonly reasonCodes: readonly string[];
  /** The verdict, which is advice: true when there is no reason code. */
  readonly pass: boolean;
  /** The gates that are facts hold: what decides whether silence or judges may pay the delivery (protocol 7.1, 15.1). */
  readonly factsHold: boolean;
}

/** `Evidence` of protocol 3.4, the API object. */
export interface Evidence {
  readonly hash: string;
  readonly output_type: OutputType;
  /** Bytes. */
  readonly output_size: number;
  readonly summary?: string;
  readonly input_hash?: string;
  readonly output_preview?: string;
  readonly output_url?: string;
  readonly metrics?: Readonly<Record<string, string>>;
}

/** `verification_score` of a task: ratios 0..1. */
export interface VerificationScore {
  readonly relevance: number;
  readonly completeness: number;
  readonly quality: number;
  readonly overall: number;
}

/** `VerificationResult` of protocol 3.4. */
export interface VerificationResult {
  readonly verdict: 'pass' | 'fail';
  readonly policy_version: 'v1';
  readonly trust_proof: string;
  readonly threshold: number;
  readonly reason_codes: readonly string[];
  readonly deterministic_report: {
    readonly verifier: VerifierName;
    readonly gates: Readonly<Record<string, boolean>>;
    readonly components: Readonly<Record<string, number>>;
    readonly overall: number;
  };
  readonly subjective_report: VerificationScore;
}
