(* Chapter 9: every encoding almost returns. *)
Require Import Reals Lra Lia ZArith Arith List.
Require Import Kernel.Irrational Kernel.Encoding Kernel.Clock.
Import ListNotations.
Open Scope R_scope.

(* the whole part of a number that is at least 0, and what is left *)
Definition whole_part (x : R) : Z := Int_part x.
Lemma whole_part_spec x : IZR (whole_part x) <= x < IZR (whole_part x) + 1.
Proof. unfold whole_part. generalize (base_Int_part x). lra. Qed.

(* Of the N equal arcs of a turn, that in which the angle t lies *)
Definition turns_left (t : R) : R := t / (2 * PI) - IZR (whole_part (t / (2 * PI))).
Definition arc (N : nat) (t : R) : nat := Z.to_nat (whole_part (INR N * turns_left t)).
Lemma turns_left_spec t : 0 <= turns_left t < 1.
Proof. unfold turns_left. generalize (whole_part_spec (t / (2 * PI))). lra. Qed.
Lemma arc_spec N t : (0 < N)%nat -> INR (arc N t) <= INR N * turns_left t < INR (arc N t) + 1.
Proof.
  intro HN. assert (P : 0 < INR N) by now apply lt_0_INR.
  generalize (whole_part_spec (INR N * turns_left t)) (turns_left_spec t). intros W T.
  assert (0 <= INR N * turns_left t) by (apply Rmult_le_pos; lra).
  assert (0 <= whole_part (INR N * turns_left t))%Z.
  { assert (-1 < whole_part (INR N * turns_left t))%Z; [apply lt_IZR; lra | lia]. }
  unfold arc. rewrite INR_IZR_INZ, Z2Nat.id by assumption. exact W.
Qed.
Lemma arc_lt N t : (0 < N)%nat -> (arc N t < N)%nat.
Proof.
  intro HN. apply INR_lt. generalize (arc_spec N t HN) (turns_left_spec t).
  assert (0 < INR N) by now apply lt_0_INR. nra.
Qed.

(* a hand's two heights and legs are at most as far apart as the arc between them is long *)
Lemma sin_le_self x : Rsqr (sin x) <= Rsqr x.
Proof.
  apply Rsqr_le_abs_1. destruct (Rle_dec 0 x) as [P | N].
  - destruct (Rle_lt_or_eq_dec 0 x P) as [L | <-]; [| rewrite sin_0; lra].
    rewrite (Rabs_pos_eq x) by lra. apply Rabs_le. split.
    + destruct (Rle_dec x PI).
      * assert (0 <= sin x) by (apply sin_ge_0; lra). lra.
      * generalize (SIN_bound x) PI2_1. unfold PI2. generalize PI2_1. lra.
    + apply Rlt_le, sin_lt_x, L.
  - rewrite (Rabs_left x) by lra. rewrite <- Rabs_Ropp, <- sin_neg. apply Rabs_le. split.
    + destruct (Rle_dec (- x) PI).
      * assert (0 <= sin (- x)) by (apply sin_ge_0; lra). lra.
      * generalize (SIN_bound (- x)) PI2_1. lra.
    + apply Rlt_le, sin_lt_x. lra.
Qed.
Lemma sin_half_turns x (k : Z) : Rsqr (sin (x + IZR k * PI)) = Rsqr (sin x).
Proof.
  assert (E : forall n : nat, Rsqr (sin (x + INR n * PI)) = Rsqr (sin x)).
  { induction n; [simpl; rewrite Rmult_0_l, Rplus_0_r; reflexivity|].
    rewrite S_INR. replace (x + (INR n + 1) * PI) with (x + INR n * PI + PI) by ring.
    rewrite neg_sin, <- Rsqr_neg. exact IHn. }
  destruct (Z_le_dec 0 k) as [P | N].
  - rewrite <- (Z2Nat.id k P), <- INR_IZR_INZ. apply E.
  - clear E. assert (E : forall n : nat, forall y, Rsqr (sin (y - INR n * PI)) = Rsqr (sin y)).
    { induction n; intro y; [simpl; rewrite Rmult_0_l, Rminus_0_r; reflexivity|].
      rewrite S_INR, <- (IHn y). replace (y - INR n * PI) with (y - (INR n + 1) * PI + PI) by ring.
      now rewrite neg_sin, <- Rsqr_neg. }
    replace k with (- Z.of_nat (Z.to_nat (- k)))%Z by (rewrite Z2Nat.id; lia).
    rewrite opp_IZR, <- INR_IZR_INZ. replace (x + - INR (Z.to_nat (- k)) * PI) with (x - INR (Z.to_nat (- k)) * PI) by ring.
    apply E.
Qed.
Lemma same_arc N s t : (0 < N)%nat -> arc N s = arc N t -> Rsqr (sin ((s - t) / 2)) <= Rsqr (PI / INR N).
Proof.
  intros HN E. assert (P : 0 < INR N) by now apply lt_0_INR. generalize PI_RGT_0; intro PI0.
  generalize (arc_spec N s HN) (arc_spec N t HN). rewrite E. intros A B.
  set (k := (whole_part (s / (2 * PI)) - whole_part (t / (2 * PI)))%Z).
  assert (S : (s - t) / 2 = PI * (turns_left s - turns_left t) + IZR k * PI).
  { unfold turns_left, k. rewrite minus_IZR. field. lra. }
  rewrite S, sin_half_turns. apply Rle_trans with (Rsqr (PI * (turns_left s - turns_left t))); [apply sin_le_self|].
  apply Rsqr_le_abs_1. rewrite Rabs_mult, (Rabs_pos_eq PI), (Rabs_pos_eq (PI / INR N)) by (try apply Rlt_le, Rdiv_lt_0_compat; lra).
  unfold Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rabs_le.
  assert (D : - 1 < INR N * (turns_left s - turns_left t) < 1) by lra.
  assert (I : INR N * / INR N = 1) by (apply Rinv_r; lra).
  split; apply Rmult_le_reg_l with (INR N); try assumption; nra.
Qed.

(* the arcs of all hands as one number with h digits, smaller than N^h *)
Fixpoint box (N : nat) (b : R) (h0 h : nat) (p : R) : nat :=
  match h with O => 0%nat | S i => (box N b h0 i p * N + arc N (omega b h0 i * p))%nat end.
Lemma box_lt N b h0 h p : (0 < N)%nat -> (box N b h0 h p < N ^ h)%nat.
Proof.
  intro HN. induction h; simpl; [lia|]. generalize (arc_lt N (omega b h0 h * p) HN). nia.
Qed.
Lemma same_box N b h0 h p q : (0 < N)%nat -> box N b h0 h p = box N b h0 h q ->
  forall i, (i < h)%nat -> arc N (omega b h0 i * p) = arc N (omega b h0 i * q).
Proof.
  intro HN. induction h; simpl; intros E i L; [lia|].
  generalize (arc_lt N (omega b h0 h * p) HN) (arc_lt N (omega b h0 h * q) HN). intros A B.
  rewrite !(Nat.mul_comm _ N) in E. destruct (Nat.div_mod_unique N _ _ _ _ A B E) as [F G].
  destruct (Nat.eq_dec i h) as [-> | D]; [exact G | apply IHh; [exact F | lia]].
Qed.

(* more positions than boxes: two are in one box *)
Lemma once_or_twice (f : R -> nat) (l : list R) : NoDup l ->
  NoDup (map f l) \/ exists p q, In p l /\ In q l /\ p <> q /\ f p = f q.
Proof.
  induction 1 as [|p l O D IH]; simpl; [left; constructor|].
  destruct IH as [IH | [x [y [X [Y [N E]]]]]]; [| right; exists x, y; tauto].
  destruct (in_dec Nat.eq_dec (f p) (map f l)) as [I | A].
  - apply in_map_iff in I as [q [E I]]. right. exists p, q. repeat split; auto. intros ->. contradiction.
  - left. now constructor.
Qed.
Lemma pigeonhole (f : R -> nat) (l : list R) (n : nat) :
  NoDup l -> (forall p, In p l -> (f p < n)%nat) -> (n < length l)%nat ->
  exists p q, In p l /\ In q l /\ p <> q /\ f p = f q.
Proof.
  intros D B L. destruct (once_or_twice f l D) as [N | H]; [|exact H]. exfalso.
  assert (I : incl (map f l) (seq 0 n)).
  { intros x X. apply in_map_iff in X as [p [<- P]]. apply in_seq. generalize (B p P). lia. }
  generalize (NoDup_incl_length N I). rewrite map_length, seq_length. lia.
Qed.

(* ---- thm-pigeonhole ---- *)
Theorem every_encoding_almost_returns (N : nat) (b : R) (h : nat) (l : list R) :
  (0 < N)%nat -> NoDup l -> length l = (N ^ h + 1)%nat ->
  exists p q, In p l /\ In q l /\ p <> q /\
    distance (2 * h) (PE b h p) (PE b h q) <= 2 * PI / INR N * sqrt (INR h).
Proof.
  intros HN D L. assert (P : 0 < INR N) by now apply lt_0_INR.
  destruct (pigeonhole (box N b h h) l (N ^ h) D) as [p [q [Ip [Iq [Ne E]]]]];
    [intros; now apply box_lt | lia |].
  exists p, q. repeat split; try assumption. unfold distance. rewrite distance_of_encodings.
  assert (S : 4 * sum h (fun i => Rsqr (sin (omega b h i * (p - q) / 2))) <= Rsqr (2 * PI / INR N) * INR h).
  { replace (Rsqr (2 * PI / INR N) * INR h) with (4 * sum h (fun _ => Rsqr (PI / INR N)))
      by (rewrite sum_const; unfold Rsqr; field; lra).
    apply Rmult_le_compat_l; [lra|]. apply sum_le. intros i Hi.
    rewrite Rmult_minus_distr_l. apply same_arc; [assumption|]. now apply (same_box N b h h p q HN E). }
  apply Rle_trans with (sqrt (Rsqr (2 * PI / INR N) * INR h)); [now apply sqrt_le_1_alt|].
  rewrite sqrt_mult by (apply Rle_0_sqr || apply pos_INR). rewrite sqrt_Rsqr; [lra|].
  generalize PI_RGT_0. intro. apply Rlt_le, Rdiv_lt_0_compat; lra.
Qed.

(* ---- hands that are nearly back ---- *)
(* Between two offsets over which each hand makes whole turns but for the angle e at most, a sum of waves changes by at
   most e times its amplitudes: so what is below the first by more than that is below the second. *)
Lemma cos_moves_no_faster x y : Rabs (cos x - cos y) <= Rabs (x - y).
Proof.
  assert (B : forall u v, u < v -> Rabs (cos u - cos v) <= v - u).
  { intros u v L. destruct (MVT_cor2 cos (fun t => - sin t) u v L) as [c [E _]]; [intros; apply derivable_pt_lim_cos|].
    generalize (SIN_bound c). intro. apply Rabs_le. nra. }
  destruct (Rtotal_order x y) as [L | [-> | L]].
  - rewrite (Rabs_left (x - y)) by lra. generalize (B x y L). lra.
  - rewrite !Rminus_diag_eq by reflexivity. lra.
  - rewrite Rabs_minus_sym, (Rabs_pos_eq (x - y)) by lra. now apply B.
Qed.
Definition waves (n : nat) (a w c : nat -> R) (x : R) : R := sum n (fun i => a i * cos (w i * x + c i)).
Definition nearly_back (n : nat) (w : nat -> R) (e x y : R) : Prop :=
  forall i, (i < n)%nat -> exists k : Z, Rabs (w i * (y - x) - 2 * PI * IZR k) <= e.
Theorem what_is_nearly_back_is_nearly_as_high (n : nat) (a w c : nat -> R) (e x y : R) : nearly_back n w e x y ->
  Rabs (waves n a w c y - waves n a w c x) <= e * sum n (fun i => Rabs (a i)).
Proof.
  intro H. unfold waves. rewrite <- sum_minus, <- sum_scale. induction n.
  - rewrite !sum_0, Rabs_R0. lra.
  - rewrite !sum_S. apply Rle_trans with (1 := Rabs_triang _ _). apply Rplus_le_compat.
    + apply IHn. intros i I. apply H. lia.
    + destruct (H n ltac:(lia)) as [k K]. rewrite <- Rmult_minus_distr_l, Rabs_mult, Rmult_comm.
      apply Rmult_le_compat_r; [apply Rabs_pos|].
      rewrite <- (cos_period_Z (w n * x + c n) k). apply Rle_trans with (1 := cos_moves_no_faster _ _).
      replace (w n * y + c n - (w n * x + c n + 2 * PI * IZR k)) with (w n * (y - x) - 2 * PI * IZR k) by ring. exact K.
Qed.
Corollary a_second_peak (n : nat) (a w c : nat -> R) (e x y z : R) : nearly_back n w e x y ->
  waves n a w c z < waves n a w c x - e * sum n (fun i => Rabs (a i)) -> waves n a w c z < waves n a w c y.
Proof.
  intros H L. generalize (what_is_nearly_back_is_nearly_as_high n a w c e x y H). intro B.
  generalize (Rle_abs (- (waves n a w c y - waves n a w c x))). rewrite Rabs_Ropp. lra.
Qed.
