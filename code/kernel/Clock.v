(* Chapters 2 to 4: the shift is a rotation, similarity depends on the offset, whole positions differ. *)
Require Import Reals Lra Lia ZArith Arith List Permutation.
Require Import Kernel.Irrational Kernel.Encoding.
Open Scope R_scope.

(* for each pair i the block (cos, sin; -sin, cos) of the angle w i k, and zeros elsewhere *)
Definition shift (w : nat -> R) (k : R) : matrix := fun j l =>
  if Nat.eqb (j / 2) (l / 2) then
    let a := w (j / 2)%nat * k in
    match Nat.even j, Nat.even l with
    | true, true => cos a | true, false => sin a
    | false, true => - sin a | false, false => cos a
    end
  else 0.
(* T(k), with the frequencies of the encoding *)
Definition T (b : R) (h : nat) (k : R) : matrix := shift (omega b h) k.

(* a row times a vector has two terms only *)
Lemma shift_row h w k v i : (i < h)%nat ->
  apply (2 * h) (shift w k) v (2 * i)%nat = cos (w i * k) * v (2 * i)%nat + sin (w i * k) * v (2 * i + 1)%nat /\
  apply (2 * h) (shift w k) v (2 * i + 1)%nat = - sin (w i * k) * v (2 * i)%nat + cos (w i * k) * v (2 * i + 1)%nat.
Proof.
  intro L. unfold apply. rewrite !sum_pairs. split; rewrite (sum_one _ _ i L).
  1, 3: unfold shift; rewrite ?half_2i, ?half_2i1, ?Nat.eqb_refl, ?even_2i, ?odd_2i; reflexivity.
  all: intros j _ N; unfold shift; rewrite ?half_2i, ?half_2i1;
    replace (Nat.eqb i j) with false by (symmetry; apply Nat.eqb_neq; lia); ring.
Qed.

(* thm-rotation *)
Theorem shift_is_a_rotation (w p k : R) :
  sin (w * (p + k)) = cos (w * k) * sin (w * p) + sin (w * k) * cos (w * p) /\
  cos (w * (p + k)) = - sin (w * k) * sin (w * p) + cos (w * k) * cos (w * p).
Proof. rewrite Rmult_plus_distr_l, sin_plus, cos_plus. split; ring. Qed.

(* thm-sines *)
Theorem sines_alone_admit_no_shift (k : Z) :
  k <> 0%Z -> ~ exists a, forall p : Z, sin (IZR p + IZR k) = a * sin (IZR p).
Proof.
  intros Hk [a H]. apply (sin_whole k Hk). specialize (H 0%Z).
  rewrite Rplus_0_l, sin_0, Rmult_0_r in H. exact H.
Qed.

(* thm-norm-many *)
Theorem dot_of_encodings (b : R) (h : nat) (p q : R) : dot (2 * h) (PE b h p) (PE b h q) = K b h (p - q).
Proof.
  unfold dot, K. rewrite sum_pairs. apply sum_ext. intros i _. rewrite !PE_sin, !PE_cos.
  rewrite Rmult_minus_distr_l, cos_minus. ring.
Qed.
Theorem norm_of_an_encoding (b : R) (h : nat) (p : R) : norm2 (2 * h) (PE b h p) = INR h.
Proof. unfold norm2. rewrite dot_of_encodings, Rminus_diag_eq by reflexivity. apply K_0. Qed.
Lemma norm2_minus d u v : norm2 d (minus u v) = norm2 d u - 2 * dot d u v + norm2 d v.
Proof.
  unfold norm2, dot, minus. rewrite <- sum_scale, <- sum_minus, <- sum_plus. apply sum_ext. intros. ring.
Qed.
Theorem distance_of_encodings (b : R) (h : nat) (p q : R) :
  norm2 (2 * h) (minus (PE b h p) (PE b h q)) = 4 * sum h (fun i => Rsqr (sin (omega b h i * (p - q) / 2))).
Proof.
  rewrite norm2_minus, !norm_of_an_encoding, dot_of_encodings. unfold K.
  transitivity (sum h (fun i => 2 - 2 * cos (omega b h i * (p - q)))).
  - rewrite (sum_minus h (fun _ => 2)), sum_const, sum_scale. ring.
  - rewrite <- sum_scale. apply sum_ext. intros i _.
    replace (omega b h i * (p - q)) with (2 * (omega b h i * (p - q) / 2)) at 1 by field.
    rewrite cos_2a_sin. unfold Rsqr. ring.
Qed.

(* thm-blocks *)
Lemma shift_moves h w p k j : (j < 2 * h)%nat -> apply (2 * h) (shift w k) (encoding w p) j = encoding w (p + k) j.
Proof.
  intro L. destruct (parity j) as [i [-> | ->]];
    [rewrite (proj1 (shift_row h w k _ i ltac:(lia))) | rewrite (proj2 (shift_row h w k _ i ltac:(lia)))];
    unfold encoding; rewrite ?even_2i, ?odd_2i, ?half_2i, ?half_2i1; symmetry; apply shift_is_a_rotation.
Qed.
Theorem shift_is_block_diagonal (b : R) (h : nat) (p k : R) (j : nat) :
  (j < 2 * h)%nat -> PE b h (p + k) j = apply (2 * h) (T b h k) (PE b h p) j.
Proof. intro L. symmetry. apply shift_moves, L. Qed.

(* thm-integers *)
Lemma distance_is_at_least_that_of_one_hand b h p q : (0 < h)%nat ->
  2 * Rabs (sin ((p - q) / 2)) <= distance (2 * h) (PE b h p) (PE b h q).
Proof.
  intro Hh. unfold distance. rewrite distance_of_encodings.
  replace (2 * Rabs (sin ((p - q) / 2))) with (sqrt (4 * Rsqr (sin ((p - q) / 2)))).
  - apply sqrt_le_1_alt, Rmult_le_compat_l; [lra|].
    replace (Rsqr (sin ((p - q) / 2))) with (sum h (fun i => if Nat.eqb i 0 then Rsqr (sin ((p - q) / 2)) else 0)).
    + apply sum_le. intros i _. destruct (Nat.eqb_spec i 0) as [-> | N].
      * rewrite omega_0, Rmult_1_l. lra.
      * apply Rle_0_sqr.
    + rewrite (sum_one _ _ 0%nat Hh); [reflexivity|]. intros j _ N.
      now apply Nat.eqb_neq in N as ->.
  - rewrite sqrt_mult; [| lra | apply Rle_0_sqr]. rewrite sqrt_Rsqr_abs.
    replace 4 with (2 * 2) by ring. rewrite sqrt_square; lra.
Qed.
Lemma sin_fraction_nonzero (m n : Z) : (0 < n)%Z -> m <> 0%Z -> sin (IZR m / IZR n) <> 0.
Proof.
  intros Hn Hm. assert (IZR n <> 0) by (apply not_0_IZR; lia).
  destruct (Z.lt_total m 0) as [L | [E | G]]; [| lia | apply sin_fraction; lia].
  intro S. apply (sin_fraction (- m) n); [lia | assumption |]. rewrite opp_IZR.
  replace (- IZR m / IZR n) with (- (IZR m / IZR n)) by (field; assumption). rewrite sin_neg, S. ring.
Qed.
Theorem whole_positions_differ (b : R) (h : nat) (p q : Z) : (0 < h)%nat -> p <> q ->
  0 < 2 * Rabs (sin ((IZR p - IZR q) / 2)) <= distance (2 * h) (PE b h (IZR p)) (PE b h (IZR q)).
Proof.
  intros Hh N. split; [| now apply distance_is_at_least_that_of_one_hand].
  apply Rmult_lt_0_compat; [lra|]. apply Rabs_pos_lt. rewrite <- minus_IZR.
  apply (sin_fraction_nonzero (p - q) 2); lia.
Qed.
(* more than whole positions: all fractions with one denominator n *)
Theorem fractions_of_one_grid_differ (b : R) (h : nat) (p q n : Z) : (0 < h)%nat -> (0 < n)%Z -> p <> q ->
  0 < 2 * Rabs (sin ((IZR p / IZR n - IZR q / IZR n) / 2))
    <= distance (2 * h) (PE b h (IZR p / IZR n)) (PE b h (IZR q / IZR n)).
Proof.
  intros Hh Hn N. split; [| now apply distance_is_at_least_that_of_one_hand].
  apply Rmult_lt_0_compat; [lra|]. apply Rabs_pos_lt.
  replace ((IZR p / IZR n - IZR q / IZR n) / 2) with (IZR (p - q) / IZR (2 * n)).
  - apply sin_fraction_nonzero; lia.
  - rewrite minus_IZR, mult_IZR. field. apply not_0_IZR; lia.
Qed.
