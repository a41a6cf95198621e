(* Frequencies from a planar difference set: at all whole offsets but the multiples of N the sum of the hands has one modulus. *)
Require Import Reals Lra Lia ZArith Arith List Permutation.
Require Import Kernel.Irrational Kernel.Encoding.
Import ListNotations.
Open Scope R_scope.

(* N = q^2 + q + 1, and every residue but zero is a difference of two of the q + 1 numbers s 0, ..., s q. There are
   q^2 + q = N - 1 pairs of two, so that each is the difference of one pair alone: this need not be asked. *)
Definition modulus (q : nat) : Z := (Z.of_nat q * Z.of_nat q + Z.of_nat q + 1)%Z.
Definition planar_difference_set (q : nat) (s : nat -> Z) : Prop :=
  forall r : Z, (0 < r < modulus q)%Z ->
    exists j l, (j < q + 1)%nat /\ (l < q + 1)%nat /\ ((s j - s l) mod modulus q)%Z = r.
(* w_j = 2 pi s_j / N *)
Definition frequency (q : nat) (s : nat -> Z) (j : nat) : R := 2 * PI * IZR (s j) / IZR (modulus q).

Lemma modulus_pos q : (0 < modulus q)%Z. Proof. unfold modulus. nia. Qed.
Lemma modulus_pos_R q : 0 < IZR (modulus q). Proof. apply IZR_lt, modulus_pos. Qed.

(* ---- the sum of all N cosines is zero ---- *)
Lemma cosines t n :
  2 * sin (t / 2) * sum n (fun r => cos (INR r * t)) = sin (INR n * t - t / 2) + sin (t / 2).
Proof.
  induction n.
  - rewrite sum_0. simpl (INR 0). replace (0 * t - t / 2) with (- (t / 2)) by field. rewrite sin_neg. ring.
  - rewrite sum_S, Rmult_plus_distr_l, IHn, S_INR.
    replace ((INR n + 1) * t - t / 2) with (INR n * t + t / 2) by field.
    rewrite sin_minus, sin_plus. ring.
Qed.
Lemma all_cosines_add_to_zero (N : nat) (D : Z) : (0 < N)%nat -> (D mod Z.of_nat N <> 0)%Z ->
  sum N (fun r => cos (INR r * (2 * PI * IZR D / INR N))) = 0.
Proof.
  intros HN HD. assert (P : 0 < INR N) by now apply lt_0_INR. set (t := 2 * PI * IZR D / INR N).
  generalize (cosines t N). replace (INR N * t - t / 2) with (- (t / 2) + 2 * PI * IZR D) by (unfold t; field; lra).
  rewrite sin_period_Z, sin_neg. intro E.
  assert (Z0 : 2 * sin (t / 2) * sum N (fun r => cos (INR r * t)) = 0) by lra.
  apply Rmult_integral in Z0 as [Z0 | Z0]; [exfalso | exact Z0].
  destruct (sin_eq_0_0 (t / 2)) as [k K]; [lra|]. apply HD. generalize PI_RGT_0. intro PI0.
  replace D with (k * Z.of_nat N)%Z; [apply Z.mod_mul; lia|].
  apply eq_IZR. rewrite mult_IZR, <- INR_IZR_INZ. apply (Rmult_eq_reg_l PI); [|lra].
  replace (PI * IZR D) with (t / 2 * INR N) by (unfold t; field; lra). rewrite K. ring.
Qed.

(* ---- a double sum as one over pairs, those of two equal numbers apart ---- *)
Definition same (jl : nat * nat) : bool := Nat.eqb (fst jl) (snd jl).
Definition pairs (n : nat) : list (nat * nat) := list_prod (seq 0 n) (seq 0 n).
Lemma total_pairs (f : nat -> nat -> R) l m :
  total (map (fun jl => f (fst jl) (snd jl)) (list_prod l m)) = total (map (fun j => total (map (f j) m)) l).
Proof.
  induction l; simpl; [reflexivity|]. rewrite map_app, total_app, map_map, IHl. reflexivity.
Qed.
Lemma total_filter {A} (p : A -> bool) (f : A -> R) l :
  total (map f l) = total (map f (filter p l)) + total (map f (filter (fun x => negb (p x)) l)).
Proof. induction l; simpl; [ring|]. destruct (p a); simpl; rewrite IHl; ring. Qed.
Lemma length_filter {A} (p : A -> bool) l :
  length l = (length (filter p l) + length (filter (fun x => negb (p x)) l))%nat.
Proof. induction l; simpl; [reflexivity|]. destruct (p a); simpl; lia. Qed.
Lemma total_one {A} (f : A -> R) l : (forall x, In x l -> f x = 1) -> total (map f l) = INR (length l).
Proof.
  induction l as [|a l IH]; intro H; [reflexivity|]. cbn [map total fold_right length]. rewrite S_INR, H by now left.
  change (fold_right Rplus 0 (map f l)) with (total (map f l)). rewrite IH; [ring|]. intros; apply H; now right.
Qed.

(* ---- thm-difference-set ---- *)
Theorem all_whole_offsets_have_one_modulus (q : nat) (s : nat -> Z) (D : Z) :
  planar_difference_set q s -> (D mod modulus q <> 0)%Z ->
  Rsqr (sum (q + 1) (fun j => cos (frequency q s j * IZR D))) +
  Rsqr (sum (q + 1) (fun j => sin (frequency q s j * IZR D))) = INR q.
Proof.
  intros H HD. set (n := (q + 1)%nat) in *. set (N := Z.to_nat (modulus q)).
  assert (HN : Z.of_nat N = modulus q) by (apply Z2Nat.id; generalize (modulus_pos q); lia).
  assert (N1 : N = S (q * q + q)) by (unfold modulus in HN; lia).
  assert (RN : INR N = IZR (modulus q)) by now rewrite INR_IZR_INZ, HN.
  generalize (modulus_pos_R q); intro P. set (t := 2 * PI * IZR D / INR N).
  set (f := fun jl : nat * nat => cos (IZR (s (fst jl) - s (snd jl)) * t)).
  set (r := fun jl : nat * nat => Z.to_nat ((s (fst jl) - s (snd jl)) mod modulus q)).
  (* the squares, multiplied out *)
  transitivity (total (map f (pairs n))).
  { unfold pairs, f. rewrite (total_pairs (fun j l => cos (IZR (s j - s l) * t))).
    set (c := sum n (fun j => cos (frequency q s j * IZR D))).
    set (d := sum n (fun j => sin (frequency q s j * IZR D))).
    change (c² + d² = sum n (fun j => sum n (fun l => cos (IZR (s j - s l) * t)))).
    transitivity (sum n (fun j => c * cos (frequency q s j * IZR D) + d * sin (frequency q s j * IZR D))).
    - rewrite sum_plus, !sum_scale. fold c d. unfold Rsqr. reflexivity.
    - apply sum_ext. intros j _. unfold c, d. rewrite (Rmult_comm (sum n _)), (Rmult_comm (sum n _) (sin _)).
      rewrite <- !sum_scale, <- sum_plus. apply sum_ext. intros l _. rewrite <- cos_minus. f_equal.
      unfold frequency, t. rewrite RN, minus_IZR. field. lra. }
  rewrite (total_filter same). set (others := filter (fun jl => negb (same jl)) (pairs n)).
  (* each residue but zero once *)
  assert (L : length (pairs n) = (n * n)%nat) by (unfold pairs; now rewrite prod_length, seq_length).
  assert (L1 : (n <= length (filter same (pairs n)))%nat).
  { rewrite <- (seq_length n 0) at 1. rewrite <- (map_length (fun j => (j, j))). apply NoDup_incl_length.
    - apply FinFun.Injective_map_NoDup; [intros x y E; now injection E | apply seq_NoDup].
    - intros x X. apply in_map_iff in X as [j [<- J]]. apply filter_In. split; [now apply in_prod | apply Nat.eqb_refl]. }
  generalize (length_filter same (pairs n)); intro L2. fold others in L2.
  assert (Q : Permutation (seq 1 (N - 1)) (map r others)).
  { apply NoDup_Permutation_bis; [apply seq_NoDup | rewrite map_length, seq_length; unfold n in *; nia |].
    intros k K. apply in_seq in K. destruct (H (Z.of_nat k)) as [j [l [J [M E]]]]; [rewrite <- HN; lia|].
    apply in_map_iff. exists (j, l). unfold r. cbn [fst snd]. split; [rewrite E; apply Nat2Z.id|].
    apply filter_In. split; [apply in_prod; apply in_seq; unfold n; lia|]. unfold same. cbn [fst snd].
    destruct (Nat.eqb_spec j l) as [-> | ]; [exfalso; rewrite Z.sub_diag, Zmod_0_l in E; lia | reflexivity]. }
  generalize (Permutation_length Q). rewrite map_length, seq_length. intro L3.
  assert (L4 : length (filter same (pairs n)) = n) by (unfold n in *; nia).
  rewrite (total_one f (filter same (pairs n))), L4.
  2: { intros [j l] X. apply filter_In in X as [_ X]. apply Nat.eqb_eq in X. cbn [fst snd] in X. subst l.
       unfold f. cbn [fst snd]. rewrite Z.sub_diag. now rewrite Rmult_0_l, cos_0. }
  replace (map f others) with (map (fun k => cos (INR k * t)) (map r others)).
  2: { rewrite map_map. apply map_ext. intros [j l]. unfold f, r. cbn [fst snd]. set (e := (s j - s l)%Z).
       rewrite INR_IZR_INZ, Z2Nat.id by (apply Z.mod_pos_bound, modulus_pos).
       rewrite <- (cos_period_Z (IZR (e mod modulus q) * t) (D * (e / modulus q))). f_equal.
       rewrite (Z.div_mod e (modulus q)) at 3 by (generalize (modulus_pos q); lia).
       rewrite plus_IZR, !mult_IZR. unfold t. rewrite RN. field. lra. }
  rewrite <- (total_permutation _ _ (Permutation_map _ Q)).
  assert (A : sum N (fun k => cos (INR k * t)) = 0).
  { apply all_cosines_add_to_zero; [rewrite N1; lia | now rewrite HN]. }
  unfold sum in A. rewrite N1 in A. cbn [seq map total fold_right] in A. simpl (INR 0) in A.
  rewrite Rmult_0_l, cos_0 in A. replace (N - 1)%nat with (q * q + q)%nat by lia. unfold total in *.
  unfold n. rewrite plus_INR. simpl (INR 1). lra.
Qed.

(* and at the others all hands are back *)
Theorem all_hands_are_back_at_multiples (q : nat) (s : nat -> Z) (D : Z) : (D mod modulus q = 0)%Z ->
  Rsqr (sum (q + 1) (fun j => cos (frequency q s j * IZR D))) +
  Rsqr (sum (q + 1) (fun j => sin (frequency q s j * IZR D))) = Rsqr (INR (q + 1)).
Proof.
  intro Z. apply Z.mod_divide in Z as [k ->]; [| generalize (modulus_pos q); lia].
  assert (S : forall i, frequency q s i * IZR (k * modulus q) = 0 + 2 * PI * IZR (s i * k)).
  { intro i. unfold frequency. rewrite !mult_IZR. field. generalize (modulus_pos_R q). lra. }
  rewrite (sum_ext _ _ (fun _ => 1)) by (intros; rewrite S, cos_period_Z; apply cos_0).
  rewrite (sum_ext _ (fun j => sin _) (fun _ => 0)) by (intros; rewrite S, sin_period_Z; apply sin_0).
  rewrite !sum_const. unfold Rsqr. ring.
Qed.

(* the encoding with these frequencies has the period N, and two whole positions share it only then *)
Theorem the_period_is_the_modulus (q : nat) (s : nat -> Z) (p D : Z) : planar_difference_set q s ->
  ((forall j, (j < 2 * (q + 1))%nat ->
     encoding (frequency q s) (IZR (p + D)) j = encoding (frequency q s) (IZR p) j)
  <-> (D mod modulus q = 0)%Z).
Proof.
  intro H. generalize (modulus_pos_R q); intro P. split.
  - intro E. destruct (Z.eq_dec (D mod modulus q) 0) as [Y | N]; [exact Y | exfalso].
    generalize (all_whole_offsets_have_one_modulus q s D H N).
    assert (B : forall j, (j < q + 1)%nat ->
      cos (frequency q s j * IZR D) = 1 /\ sin (frequency q s j * IZR D) = 0).
    { intros j J. generalize (E (2 * j)%nat ltac:(lia)) (E (2 * j + 1)%nat ltac:(lia)).
      unfold encoding. rewrite even_2i, odd_2i, half_2i, half_2i1. intros S C.
      replace (frequency q s j * IZR D) with (frequency q s j * IZR (p + D) - frequency q s j * IZR p)
        by (rewrite plus_IZR; ring).
      rewrite cos_minus, sin_minus, S, C. generalize (sin2_cos2 (frequency q s j * IZR p)). unfold Rsqr. lra. }
    rewrite (sum_ext _ _ (fun _ => 1)), (sum_ext _ (fun j => sin _) (fun _ => 0)) by (intros; now apply B).
    rewrite !sum_const, plus_INR. simpl (INR 1). unfold Rsqr. generalize (pos_INR q). nra.
  - intros Z j _. apply Z.mod_divide in Z as [k ->]; [| generalize (modulus_pos q); lia].
    assert (S : forall i, frequency q s i * IZR (p + k * modulus q) = frequency q s i * IZR p + 2 * PI * IZR (s i * k)).
    { intro i. unfold frequency. rewrite plus_IZR, !mult_IZR. field. lra. }
    unfold encoding. rewrite S, sin_period_Z, cos_period_Z. reflexivity.
Qed.

(* ---- thm-welch ---- *)
Definition squared_modulus (q : nat) (s : nat -> Z) (D : Z) : R :=
  Rsqr (sum (q + 1) (fun j => cos (frequency q s j * IZR D))) +
  Rsqr (sum (q + 1) (fun j => sin (frequency q s j * IZR D))).
Definition different_residues (q : nat) (s : nat -> Z) : Prop :=
  forall j l, (j < q + 1)%nat -> (l < q + 1)%nat -> j <> l -> ((s j - s l) mod modulus q <> 0)%Z.
Lemma squares_multiplied_out q s D : squared_modulus q s D =
  sum (q + 1) (fun j => sum (q + 1) (fun l => cos (frequency q s j * IZR D - frequency q s l * IZR D))).
Proof.
  unfold squared_modulus. set (n := (q + 1)%nat). set (c := sum n (fun j => cos _)). set (d := sum n (fun j => sin _)).
  transitivity (sum n (fun j => c * cos (frequency q s j * IZR D) + d * sin (frequency q s j * IZR D))).
  - rewrite sum_plus, !sum_scale. fold c d. reflexivity.
  - apply sum_ext. intros j _. unfold c, d. rewrite (Rmult_comm (sum n _)), (Rmult_comm (sum n _) (sin _)).
    rewrite <- !sum_scale, <- sum_plus. apply sum_ext. intros l _. now rewrite <- cos_minus.
Qed.
Lemma over_all_offsets q s : different_residues q s ->
  sum (S (q * q + q)) (fun k => squared_modulus q s (Z.of_nat k)) = IZR (modulus q) * INR (q + 1).
Proof.
  intro H. set (N := S (q * q + q)). assert (HN : Z.of_nat N = modulus q) by (unfold N, modulus; lia).
  generalize (modulus_pos_R q). intro P. assert (RN : INR N = IZR (modulus q)) by now rewrite INR_IZR_INZ, HN.
  rewrite (sum_ext _ _ (fun k => sum (q + 1) (fun j => sum (q + 1) (fun l =>
    cos (INR k * (2 * PI * IZR (s j - s l) / INR N)))))).
  2: { intros k _. rewrite squares_multiplied_out. apply sum_ext. intros j _. apply sum_ext. intros l _. f_equal.
       unfold frequency. rewrite RN, minus_IZR, <- INR_IZR_INZ. field. lra. }
  rewrite sum_swap, (sum_ext _ _ (fun _ => INR N)), sum_const, RN; [ring|].
  intros j J. rewrite sum_swap, (sum_one _ _ j J).
  - rewrite Z.sub_diag, (sum_ext _ _ (fun _ => 1)), sum_const; [ring|]. intros.
    replace (INR i * (2 * PI * 0 / INR N)) with 0 by (field; lra). apply cos_0.
  - intros l L D. apply all_cosines_add_to_zero; [unfold N; lia|]. rewrite HN. apply H; auto.
Qed.
Theorem the_mean_square_is_q (q : nat) (s : nat -> Z) : (0 < q)%nat -> different_residues q s ->
  sum (q * q + q) (fun k => squared_modulus q s (Z.of_nat (k + 1))) / INR (q * q + q) = INR q.
Proof.
  intros Q H. generalize (over_all_offsets q s H). change (S (q * q + q)) with (1 + (q * q + q))%nat.
  rewrite sum_shift, sum_S, sum_0, Rplus_0_l. intro E.
  assert (Z0 : squared_modulus q s (Z.of_nat 0) = Rsqr (INR (q + 1))).
  { apply all_hands_are_back_at_multiples. apply Zmod_0_l. }
  rewrite Z0 in E. rewrite (sum_ext _ _ (fun k => squared_modulus q s (Z.of_nat (1 + k)))) by (intros; do 2 f_equal; lia).
  assert (P : 0 < INR q) by (apply lt_0_INR; lia).
  replace (sum _ _) with (IZR (modulus q) * INR (q + 1) - Rsqr (INR (q + 1))) by lra.
  unfold modulus, Rsqr. rewrite !plus_IZR, mult_IZR, <- INR_IZR_INZ, !plus_INR, mult_INR. simpl (INR 1). field. nra.
Qed.
Lemma not_all_below n f m : (0 < n)%nat -> (forall k, (k < n)%nat -> f k < m) -> sum n f < INR n * m.
Proof.
  intros Hn H. rewrite <- sum_const. apply (sum_lt _ _ _ 0%nat Hn); [intros; apply Rlt_le|]; apply H; lia.
Qed.
Theorem some_offset_has_at_least_q (q : nat) (s : nat -> Z) : (0 < q)%nat -> different_residues q s ->
  exists D : Z, (1 <= D <= modulus q - 1)%Z /\ INR q <= squared_modulus q s D.
Proof.
  intros Q H. generalize (the_mean_square_is_q q s Q H). set (f := fun k => squared_modulus q s (Z.of_nat (k + 1))).
  intro E. assert (P : 0 < INR (q * q + q)) by (apply lt_0_INR; nia).
  destruct (Classical_Prop.classic (exists k, (k < q * q + q)%nat /\ INR q <= f k)) as [[k [K B]] | N].
  - exists (Z.of_nat (k + 1)). unfold modulus. split; [lia | exact B].
  - exfalso. assert (L : sum (q * q + q) f < INR (q * q + q) * INR q).
    { apply not_all_below; [nia|]. intros k K. apply Rnot_le_lt. intro. apply N. now exists k. }
    unfold f in *. apply (Rmult_eq_compat_r (INR (q * q + q))) in E. unfold Rdiv in E.
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r in E by lra. lra.
Qed.
Corollary the_difference_sets_greatest_is_least (q : nat) (s t : nat -> Z) (D : Z) : (0 < q)%nat ->
  planar_difference_set q s -> different_residues q t -> (D mod modulus q <> 0)%Z ->
  exists E : Z, (1 <= E <= modulus q - 1)%Z /\ squared_modulus q s D <= squared_modulus q t E.
Proof.
  intros Q S T N. destruct (some_offset_has_at_least_q q t Q T) as [E [B L]]. exists E. split; [exact B|].
  unfold squared_modulus at 1. rewrite (all_whole_offsets_have_one_modulus q s D S N). exact L.
Qed.
