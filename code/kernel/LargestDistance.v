(* Chapter 8: the number M of the largest distance at base 10,000, by interval arithmetic. *)
Require Import Reals Lra Lia ZArith.
From Interval Require Import Tactic.
Require Import Kernel.Encoding Kernel.Families.
Open Scope R_scope.

Lemma on_a_quarter x : 0 <= x <= 158 / 100 -> four_hands x <= 393559 / 100000.
Proof.
  intro H. unfold four_hands. rewrite !Rsqr_pow2.
  interval with (i_bisect x, i_autodiff x, i_depth 40, i_prec 50).
Qed.

(* ---- thm-largest ---- *)
Theorem no_x_is_above (x : R) : four_hands x <= 393559 / 100000.
Proof.
  destruct (within_a_period x) as [y [[L U] <-]]. destruct (Rle_dec y (PI / 2)) as [A | A].
  - apply on_a_quarter. split; [exact L|]. apply Rle_trans with (PI / 2); [exact A | interval].
  - rewrite <- mirror, <- period. apply on_a_quarter. split; [lra|]. apply Rle_trans with (PI / 2); [lra | interval].
Qed.
Theorem some_x_is_nearly_there : exists x, 393558 / 100000 <= four_hands x.
Proof. exists (142786792 / 100000000). unfold four_hands. rewrite !Rsqr_pow2. interval with (i_prec 60). Qed.
(* so the largest distance at d = 512, the root of M d / 2 *)
Theorem the_largest_distance_at_512 (M : R) : 393558 / 100000 <= M <= 393559 / 100000 ->
  31741 / 1000 <= sqrt (M * 512 / 2) <= 31742 / 1000.
Proof. intros [L U]. split; interval with (i_prec 60). Qed.
