(* Chapter 8: with the base 10,000 and d = 8g the hands form g families of four, so no distance is above sqrt (M d / 2). *)
Require Import Reals Lra Lia ZArith Arith.
Require Import Kernel.Irrational Kernel.Encoding Kernel.Clock.
Open Scope R_scope.

Definition four_hands (x : R) : R := Rsqr (sin x) + Rsqr (sin (10 * x)) + Rsqr (sin (100 * x)) + Rsqr (sin (1000 * x)).

Lemma sin2_period x (n : nat) : Rsqr (sin (x + INR n * PI)) = Rsqr (sin x).
Proof.
  induction n; [simpl; rewrite Rmult_0_l, Rplus_0_r; reflexivity|].
  rewrite S_INR. replace (x + (INR n + 1) * PI) with (x + INR n * PI + PI) by ring.
  now rewrite neg_sin, <- Rsqr_neg.
Qed.
Lemma period x : four_hands (x + PI) = four_hands x.
Proof.
  unfold four_hands.
  replace (10 * (x + PI)) with (10 * x + INR 10 * PI) by (simpl; ring).
  replace (100 * (x + PI)) with (100 * x + INR 100 * PI) by (rewrite INR_IZR_INZ; simpl; ring).
  replace (1000 * (x + PI)) with (1000 * x + INR 1000 * PI) by (rewrite INR_IZR_INZ; simpl; ring).
  rewrite !sin2_period. replace (x + PI) with (x + INR 1 * PI) by (simpl; ring). now rewrite sin2_period.
Qed.
Lemma mirror x : four_hands (- x) = four_hands x.
Proof.
  unfold four_hands. replace (10 * - x) with (- (10 * x)) by ring. replace (100 * - x) with (- (100 * x)) by ring.
  replace (1000 * - x) with (- (1000 * x)) by ring. now rewrite !sin_neg, <- !Rsqr_neg.
Qed.
Lemma periods x (n : nat) : four_hands (x + INR n * PI) = four_hands x.
Proof.
  induction n; [simpl; now rewrite Rmult_0_l, Rplus_0_r|].
  rewrite S_INR. replace (x + (INR n + 1) * PI) with (x + INR n * PI + PI) by ring. now rewrite period.
Qed.

(* the frequency that is g pairs on is a tenth *)
Lemma ten_times_slower g i : (0 < g)%nat -> omega 10000 (4 * g) i = 10 * omega 10000 (4 * g) (g + i).
Proof.
  intro G. assert (P : 0 < INR g) by now apply lt_0_INR. unfold omega.
  replace (- (2 * INR i / INR (2 * (4 * g)))) with (/ 4 + - (2 * INR (g + i) / INR (2 * (4 * g)))).
  - rewrite Rpower_plus. f_equal. replace 10000 with (Rpower 10 (INR 4)) by (rewrite Rpower_pow by lra; simpl; ring).
    rewrite Rpower_mult. replace (INR 4 * / 4) with 1 by (simpl; field). apply Rpower_1. lra.
  - rewrite !mult_INR, plus_INR. simpl (INR 2). simpl (INR 4). field. lra.
Qed.
Lemma sum_of_four g f :
  sum (4 * g) f = sum g (fun i => f i + f (g + i)%nat + f (g + (g + i))%nat + f (g + (g + (g + i)))%nat).
Proof.
  replace (4 * g)%nat with (g + (g + (g + g)))%nat by lia. rewrite !sum_shift, !sum_plus. ring.
Qed.

(* ---- thm-largest: M exists, and no distance is above the root ---- *)
Lemma within_a_period x : exists y, 0 <= y <= PI /\ four_hands y = four_hands x.
Proof.
  assert (P : 0 < PI) by apply PI_RGT_0. set (k := Int_part (x / PI)).
  assert (Z : 0 <= x - IZR k * PI <= PI).
  { assert (E : x = x / PI * PI) by (field; lra). generalize (base_Int_part (x / PI)). fold k. intros [L U].
    rewrite E at 1 2. split; [apply (Rmult_le_compat_r PI) in L; lra|].
    assert (D : x / PI - IZR k <= 1) by lra. apply (Rmult_le_compat_r PI) in D; lra. }
  exists (x - IZR k * PI). split; [exact Z|]. destruct (Z_le_dec 0 k) as [N | N].
  - rewrite <- (periods (x - IZR k * PI) (Z.to_nat k)). f_equal. rewrite INR_IZR_INZ, Z2Nat.id by lia. ring.
  - rewrite <- (periods x (Z.to_nat (- k))). f_equal. rewrite INR_IZR_INZ, Z2Nat.id, opp_IZR by lia. ring.
Qed.
Theorem the_maximum_is_attained : exists x, forall y, four_hands y <= four_hands x.
Proof.
  assert (C : forall z, 0 <= z <= PI -> continuity_pt four_hands z).
  { intros z _. apply derivable_continuous_pt. unfold four_hands, Rsqr. reg. }
  destruct (continuity_ab_maj four_hands 0 PI) as [x [H _]]; [generalize PI_RGT_0; lra | exact C |].
  exists x. intro y. destruct (within_a_period y) as [z [Z <-]]. now apply H.
Qed.

Theorem no_distance_is_above_the_bound (M : R) (g : nat) (p q : R) : (0 < g)%nat -> (forall x, four_hands x <= M) ->
  distance (2 * (4 * g)) (PE 10000 (4 * g) p) (PE 10000 (4 * g) q) <= sqrt (M * INR (8 * g) / 2).
Proof.
  intros G H. unfold distance. rewrite distance_of_encodings, sum_of_four. apply sqrt_le_1_alt.
  replace (M * INR (8 * g) / 2) with (4 * (INR g * M)) by (rewrite mult_INR; simpl (INR 8); field).
  apply Rmult_le_compat_l; [lra|]. rewrite <- sum_const. apply sum_le. intros i _.
  set (x := omega 10000 (4 * g) (g + (g + (g + i))) * (p - q) / 2). apply Rle_trans with (four_hands x); [|apply H].
  unfold four_hands. rewrite (ten_times_slower g i G), (ten_times_slower g (g + i) G), (ten_times_slower g (g + (g + i)) G).
  set (w := omega 10000 (4 * g) (g + (g + (g + i)))) in *. unfold x.
  match goal with |- ?a <= ?b => replace a with b; [lra|] end.
  replace (1000 * (w * (p - q) / 2)) with (10 * (10 * (10 * w)) * (p - q) / 2) by field.
  replace (100 * (w * (p - q) / 2)) with (10 * (10 * w) * (p - q) / 2) by field.
  replace (10 * (w * (p - q) / 2)) with (10 * w * (p - q) / 2) by field. ring.
Qed.
