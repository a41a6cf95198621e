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
  assert (H : forall y, 0 <= y -> four_hands y <= 393559 / 100000).
  { intros y Hy. assert (P : 0 < PI) by apply PI_RGT_0.
    set (n := Z.to_nat (Int_part (y / PI))).
    assert (Hz : (0 <= Int_part (y / PI))%Z).
    { assert (0 <= y / PI) by (apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat, P]).
      assert (-1 < Int_part (y / PI))%Z; [apply lt_IZR; generalize (base_Int_part (y / PI)); lra | auto with zarith]. }
    assert (B : INR n = IZR (Int_part (y / PI))) by (unfold n; rewrite INR_IZR_INZ, Z2Nat.id; auto).
    set (z := y - INR n * PI).
    assert (Z0 : 0 <= z <= PI).
    { assert (E : y = y / PI * PI) by (field; lra). generalize (base_Int_part (y / PI)). unfold z. rewrite B.
      intros [L U]. split; rewrite E at 1.
      - apply (Rmult_le_compat_r PI) in L; lra.
      - assert (y / PI - IZR (Int_part (y / PI)) <= 1) by lra. apply (Rmult_le_compat_r PI) in H; lra. }
    replace y with (z + INR n * PI) by (unfold z; ring). rewrite periods.
    destruct (Rle_dec z (PI / 2)) as [A | A].
    - apply on_a_quarter. split; [lra|]. apply Rle_trans with (PI / 2); [exact A | interval].
    - rewrite <- mirror, <- period. apply on_a_quarter. split; [lra|].
      apply Rle_trans with (PI / 2); [lra | interval]. }
  destruct (Rle_dec 0 x); [now apply H|]. rewrite <- mirror. apply H. lra.
Qed.
Theorem some_x_is_nearly_there : exists x, 393558 / 100000 <= four_hands x.
Proof. exists (142786792 / 100000000). unfold four_hands. rewrite !Rsqr_pow2. interval with (i_prec 60). Qed.
(* so the largest distance at d = 512, the root of M d / 2 *)
Theorem the_largest_distance_at_512 (M : R) : 393558 / 100000 <= M <= 393559 / 100000 ->
  31741 / 1000 <= sqrt (M * 512 / 2) <= 31742 / 1000.
Proof. intros [L U]. split; interval with (i_prec 60). Qed.
