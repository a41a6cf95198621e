(* Chapter 8: the mean of the squared distance and its variance, over longer and longer stretches. *)
Require Import Reals Lra Lia ZArith Arith.
Require Import Kernel.Irrational Kernel.Encoding Kernel.Clock Kernel.Shift.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

(* ---- thm-typical ---- *)
Definition mean (f : R -> R) (X : R) : R := RInt f 0 X / X.
Definition variance (f : R -> R) (X : R) : R := mean (fun t => Rsqr (f t - mean f X)) X.
(* an integral that never departs from m X by more than a fixed number: so it is with sums of waves *)
Definition levels (f : R -> R) (m : R) : Prop :=
  (forall X, ex_RInt f 0 X) /\ exists k, forall X, 0 < X -> Rabs (RInt f 0 X - m * X) <= k.

Lemma integral (f : R -> R) X : ex_RInt f 0 X -> is_RInt f 0 X (RInt f 0 X).
Proof. exact (RInt_correct (V := R_CompleteNormedModule) f 0 X). Qed.
Lemma levels_ext f g m : (forall t, f t = g t) -> levels f m -> levels g m.
Proof.
  intros E [I [k K]]. split.
  - intro X. apply (ex_RInt_ext f); [intros; apply E | apply I].
  - exists k. intros X P. rewrite <- (RInt_ext f g 0 X) by (intros; apply E). now apply K.
Qed.
Lemma levels_const c : levels (fun _ => c) c.
Proof.
  split; [intro; apply ex_RInt_const|]. exists 0. intros X _. rewrite RInt_const. unfold scal. simpl. unfold mult. simpl.
  replace ((X - 0) * c - c * X) with 0 by ring. rewrite Rabs_R0. lra.
Qed.
Lemma levels_plus f g m n : levels f m -> levels g n -> levels (fun t => f t + g t) (m + n).
Proof.
  intros [I [k K]] [J [l L]]. split; [intro X; apply (ex_RInt_plus f g); auto|].
  exists (k + l). intros X P. assert (E : RInt (fun t => f t + g t) 0 X = RInt f 0 X + RInt g 0 X) by (apply (RInt_plus f g); auto).
  rewrite E. replace (RInt f 0 X + RInt g 0 X - (m + n) * X) with (RInt f 0 X - m * X + (RInt g 0 X - n * X)) by ring.
  apply Rle_trans with (1 := Rabs_triang _ _). generalize (K X P) (L X P). lra.
Qed.
Lemma levels_scale c f m : levels f m -> levels (fun t => c * f t) (c * m).
Proof.
  intros [I [k K]]. split; [intro X; apply (ex_RInt_scal f 0 X c); auto|].
  exists (Rabs c * k). intros X P. assert (E : RInt (fun t => c * f t) 0 X = c * RInt f 0 X) by (apply (RInt_scal f); auto).
  rewrite E. replace (c * RInt f 0 X - c * m * X) with (c * (RInt f 0 X - m * X)) by ring.
  rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos | auto].
Qed.
Lemma levels_sum n f m : (forall i, (i < n)%nat -> levels (f i) (m i)) -> levels (fun t => sum n (fun i => f i t)) (sum n m).
Proof.
  induction n; intro H.
  - apply (levels_ext (fun _ => 0)); [reflexivity | apply levels_const].
  - rewrite sum_S. apply (levels_ext (fun t => sum n (fun i => f i t) + f n t)); [intro; now rewrite sum_S|].
    apply levels_plus; [apply IHn; intros|]; apply H; lia.
Qed.
Lemma levels_cos w : w <> 0 -> levels (fun t => cos (w * t)) 0.
Proof.
  intro W. assert (I : forall X, is_RInt (fun t => cos (w * t)) 0 X (sin (w * X) / w)).
  { intro X. replace (sin (w * X) / w) with (minus (sin (w * X) / w) (sin (w * 0) / w)).
    - apply (is_RInt_derive (fun t => sin (w * t) / w)).
      + intros t _. auto_derive; [trivial | field; exact W].
      + intros t _. apply (ex_derive_continuous (fun t => cos (w * t))). auto_derive. trivial.
    - unfold minus, plus, opp. simpl. rewrite Rmult_0_r, sin_0. field. exact W. }
  split; [intro X; eexists; apply I|]. exists (/ Rabs w). intros X _. rewrite (is_RInt_unique _ _ _ _ (I X)).
  replace (sin (w * X) / w - 0 * X) with (sin (w * X) * / w) by (unfold Rdiv; ring).
  rewrite Rabs_mult, Rabs_inv. rewrite <- (Rmult_1_l (/ Rabs w)) at 2. apply Rmult_le_compat_r.
  - apply Rlt_le, Rinv_0_lt_compat, Rabs_pos_lt, W.
  - apply Rabs_le. generalize (SIN_bound (w * X)). lra.
Qed.
Lemma levels_product u v : 0 < u -> 0 < v ->
  levels (fun t => cos (u * t) * cos (v * t)) (if Req_EM_T u v then / 2 else 0).
Proof.
  intros U V. destruct (Req_EM_T u v) as [<- | N].
  - replace (/ 2) with (/ 2 * (1 + 0)) by ring.
    apply (levels_ext (fun t => / 2 * (1 + cos ((u + u) * t)))).
    + intro t. rewrite Rmult_plus_distr_r, cos_plus. generalize (sin2_cos2 (u * t)). unfold Rsqr. lra.
    + apply levels_scale, levels_plus; [apply levels_const | apply levels_cos; lra].
  - replace 0 with (/ 2 * (0 + 0)) by ring.
    apply (levels_ext (fun t => / 2 * (cos ((u - v) * t) + cos ((u + v) * t)))).
    + intro t. rewrite Rmult_plus_distr_r, Rmult_minus_distr_r, cos_plus, cos_minus. field.
    + apply levels_scale, levels_plus; apply levels_cos; lra.
Qed.
Lemma mean_of_levels f m : levels f m -> is_lim (mean f) p_infty m.
Proof.
  intros [_ [k K]]. apply is_lim_spec. intros [e He]. simpl. exists (Rmax 1 ((k + 1) / e)). intros X H.
  assert (P : 0 < X) by (generalize (Rmax_l 1 ((k + 1) / e)); lra).
  assert (Q : (k + 1) / e < X) by (generalize (Rmax_r 1 ((k + 1) / e)); lra).
  apply (Rmult_lt_compat_r e) in Q; [|exact He]. unfold Rdiv in Q. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in Q by lra.
  unfold mean. specialize (K X P). set (a := RInt f 0 X : R). fold a in K. replace (a / X - m) with ((a - m * X) * / X) by (field; lra).
  rewrite Rabs_mult, (Rabs_pos_eq (/ X)) by (apply Rlt_le, Rinv_0_lt_compat, P).
  apply Rmult_lt_reg_r with X; [exact P|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. lra.
Qed.
(* the mean of the squares less the square of the mean *)
Lemma variance_of_levels f m n : levels f m -> levels (fun t => Rsqr (f t)) n -> is_lim (variance f) p_infty (n - m * m).
Proof.
  intros F S. apply (is_lim_ext_loc (fun X => mean (fun t => Rsqr (f t)) X - mean f X * mean f X)).
  - exists 0. intros X P. unfold variance. set (c := mean f X). 
    assert (E : @eq R (RInt f 0 X) (c * X)).
    { unfold c, mean. generalize (RInt f 0 X : R). intro. field. lra. }
    unfold mean at 1 2. destruct F as [F _]. destruct S as [S _].
    assert (D : is_RInt (fun t => Rsqr (f t - c)) 0 X (RInt (fun t => Rsqr (f t)) 0 X + (- (2 * c) * RInt f 0 X + Rsqr c * X))).
    { apply (is_RInt_ext (fun t => plus (Rsqr (f t)) (plus (scal (- (2 * c)) (f t)) (Rsqr c)))).
      - intros t _. unfold plus, scal. simpl. unfold mult. simpl. unfold Rsqr. ring.
      - apply (is_RInt_plus (fun t => Rsqr (f t))); [apply integral, S|].
        apply (is_RInt_plus (fun t => scal (- (2 * c)) (f t))); [apply (is_RInt_scal f), integral, F|].
        replace (Rsqr c * X) with (scal (X - 0) (Rsqr c)) by (unfold scal; simpl; unfold mult; simpl; ring).
        apply @is_RInt_const. }
    rewrite (is_RInt_unique _ _ _ _ D), E. unfold Rsqr. field. lra.
  - apply (is_lim_minus _ _ _ n (m * m)); [now apply mean_of_levels | | reflexivity].
    apply (is_lim_mult _ _ _ m m); [now apply mean_of_levels | now apply mean_of_levels | reflexivity].
Qed.

(* the squared distance over the offset t, wherever it begins *)
Definition squared_distance (b : R) (h : nat) (p t : R) : R := norm2 (2 * h) (Encoding.minus (PE b h (p + t)) (PE b h p)).
Lemma squared_distance_is b h p t : squared_distance b h p t = INR (2 * h) - 2 * K b h t.
Proof.
  unfold squared_distance. rewrite norm2_minus, !norm_of_an_encoding, dot_of_encodings. replace (p + t - p) with t by ring.
  rewrite mult_INR. simpl (INR 2). ring.
Qed.
Lemma levels_K b h : 1 < b -> levels (K b h) 0.
Proof.
  intro B. replace 0 with (sum h (fun _ => 0)) by (rewrite sum_const; ring). apply levels_sum.
  intros i _. apply levels_cos. generalize (omega_pos b h i). lra.
Qed.
Lemma levels_K2 b h : 1 < b -> levels (fun t => Rsqr (K b h t)) (INR h / 2).
Proof.
  intro B. apply (levels_ext (fun t => sum h (fun i => sum h (fun l => cos (omega b h i * t) * cos (omega b h l * t))))).
  - intro t. unfold K, Rsqr. rewrite <- sum_scale. apply sum_ext. intros i _. rewrite <- Rmult_comm, sum_scale. ring.
  - replace (INR h / 2) with (sum h (fun i => sum h (fun l => if Req_EM_T (omega b h i) (omega b h l) then / 2 else 0))).
    + apply levels_sum. intros i _. apply levels_sum. intros l _. apply levels_product; apply omega_pos.
    + rewrite (sum_ext _ _ (fun _ => / 2)), sum_const; [field|]. intros i I. rewrite (sum_one _ _ i I).
      * destruct (Req_EM_T _ _); [reflexivity | contradiction].
      * intros l L N. destruct (Req_EM_T _ _) as [E | ]; [|reflexivity]. exfalso.
        exact (proj2 (the_encoding_has_such_frequencies b h B) i l I L (not_eq_sym N) E).
Qed.
Theorem the_mean_tends_to_d (b : R) (h : nat) (p : R) : 1 < b ->
  is_lim (mean (squared_distance b h p)) p_infty (INR (2 * h)).
Proof.
  intro B. apply mean_of_levels. replace (INR (2 * h)) with (INR (2 * h) + - 2 * 0) by ring.
  apply (levels_ext (fun t => INR (2 * h) + - 2 * K b h t)); [intro; rewrite squared_distance_is; ring|].
  apply levels_plus; [apply levels_const | now apply levels_scale, levels_K].
Qed.
Theorem the_variance_tends_to_d (b : R) (h : nat) (p : R) : 1 < b ->
  is_lim (variance (squared_distance b h p)) p_infty (INR (2 * h)).
Proof.
  intro B. set (d := INR (2 * h)).
  replace (Finite d) with (Finite (Rsqr d + - (4 * d) * 0 + 4 * (INR h / 2) - d * d))
    by (unfold d, Rsqr; rewrite mult_INR; simpl (INR 2); f_equal; field).
  apply variance_of_levels.
  - assert (L : levels (squared_distance b h p) (d + - 2 * 0)); [|now replace (d + - 2 * 0) with d in L by ring].
    apply (levels_ext (fun t => d + - 2 * K b h t)); [intro; rewrite squared_distance_is; unfold d; ring|].
    apply levels_plus; [apply levels_const | now apply levels_scale, levels_K].
  - apply (levels_ext (fun t => Rsqr d + - (4 * d) * K b h t + 4 * Rsqr (K b h t))).
    + intro t. rewrite squared_distance_is. fold d. unfold Rsqr. ring.
    + apply levels_plus; [apply levels_plus; [apply levels_const | now apply levels_scale, levels_K]|].
      now apply levels_scale, levels_K2.
Qed.
Theorem it_never_exceeds_2d (b : R) (h : nat) (p t : R) : squared_distance b h p t <= 2 * INR (2 * h).
Proof.
  unfold squared_distance. rewrite distance_of_encodings.
  replace (2 * INR (2 * h)) with (4 * sum h (fun _ => 1)) by (rewrite sum_const, mult_INR; simpl (INR 2); ring).
  apply Rmult_le_compat_l; [lra|]. apply sum_le. intros i _. set (x := omega b h i * _ / 2).
  generalize (sin2_cos2 x) (Rle_0_sqr (cos x)). lra.
Qed.
