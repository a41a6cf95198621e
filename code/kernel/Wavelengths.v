(* Chapter 5: where the wavelengths end. *)
Require Import Reals Lra Lia ZArith Arith.
Require Import Kernel.Irrational Kernel.Encoding.
Open Scope R_scope.

(* lambda_i = 2 pi / omega_i *)
Definition lambda (b : R) (h i : nat) : R := 2 * PI / omega b h i.

(* ---- thm-endpoint ---- *)
Theorem the_last_wavelength (b : R) (h : nat) : (0 < h)%nat -> lambda b h (h - 1) = 2 * PI * Rpower b (1 - 2 / INR (2 * h)).
Proof.
  intro H. assert (P : 0 < INR h) by (apply lt_0_INR; lia).
  unfold lambda, omega. rewrite Rpower_Ropp. unfold Rdiv at 1. rewrite Rinv_inv. f_equal. f_equal.
  rewrite minus_INR by lia. rewrite mult_INR. simpl (INR 2). simpl (INR 1). field. lra.
Qed.
Theorem it_is_below_the_limit (b : R) (h : nat) : 1 < b -> (0 < h)%nat -> lambda b h (h - 1) < 2 * PI * b.
Proof.
  intros Hb Hh. rewrite the_last_wavelength by assumption. apply Rmult_lt_compat_l; [generalize PI_RGT_0; lra|].
  rewrite <- (Rpower_1 b) at 2 by lra. apply Rpower_lt; [assumption|].
  assert (0 < 2 / INR (2 * h)) by (apply Rdiv_lt_0_compat; [lra | apply lt_0_INR; lia]). lra.
Qed.
(* h counts the pairs, so d = 2 (n + 1) below *)
Theorem it_tends_to_the_limit (b : R) : 1 < b -> Un_cv (fun n => lambda b (S n) n) (2 * PI * b).
Proof.
  intro Hb. assert (L : Un_cv (fun n => 1 - / INR (S n)) 1).
  { intros e He. destruct (archimed_cor1 e He) as [N [A B]]. exists N. intros n Hn. unfold R_dist.
    replace (1 - / INR (S n) - 1) with (- / INR (S n)) by ring. rewrite Rabs_Ropp, Rabs_pos_eq.
    - apply Rle_lt_trans with (/ INR N); [apply Rinv_le_contravar; [apply lt_0_INR; lia | apply le_INR; lia] | exact A].
    - apply Rlt_le, Rinv_0_lt_compat, lt_0_INR. lia. }
  assert (C : continuity_pt (fun x => 2 * PI * Rpower b x) 1).
  { apply derivable_continuous_pt. unfold Rpower. reg. }
  generalize (continuity_seq _ _ _ C L). rewrite Rpower_1 by lra. intro U.
  intros e He. destruct (U e He) as [N HN]. exists N. intros n Hn.
  replace (lambda b (S n) n) with (2 * PI * Rpower b (1 - / INR (S n))); [now apply HN|].
  replace n with (S n - 1)%nat at 3 by lia. rewrite the_last_wavelength by lia. f_equal. f_equal. f_equal.
  rewrite mult_INR. simpl (INR 2). field. apply not_0_INR. lia.
Qed.
(* with the ratio b^(1/(d/2-1)) from one wavelength to the next *)
Theorem another_ratio_ends_at_the_limit (b : R) (h : nat) : 1 < b -> (2 <= h)%nat ->
  2 * PI * Rpower (Rpower b (1 / (INR h - 1))) (INR (h - 1)) = 2 * PI * b.
Proof.
  intros Hb Hh. f_equal. rewrite Rpower_mult, minus_INR by lia. simpl (INR 1).
  assert (1 < INR h) by (replace 1 with (INR 1) by reflexivity; apply lt_INR; lia).
  replace (1 / (INR h - 1) * (INR h - 1)) with 1 by (field; lra). apply Rpower_1. lra.
Qed.
