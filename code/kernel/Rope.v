(* Chapters 7 and 12: what an added encoding leaks, the score under RoPE, and interpolation. *)
Require Import Reals Lra Lia ZArith Arith.
Require Import Kernel.Irrational Kernel.Encoding Kernel.Clock.
Open Scope R_scope.

(* ---- thm-leakage: one pair with the frequency w, and a matrix H = (a, b; c, d) ---- *)
Definition leaked (w a b c d p q : R) : R :=
  sin (w * p) * (a * sin (w * q) + b * cos (w * q)) + cos (w * p) * (c * sin (w * q) + d * cos (w * q)).
Definition waves_in_the_sum (w a b c d x : R) : R :=
  (d - a) / 2 * cos (w * x) + (b + c) / 2 * sin (w * x).
Theorem two_waves_in_the_difference_two_in_the_sum (w a b c d p q : R) :
  leaked w a b c d p q =
    (a + d) / 2 * cos (w * (p - q)) + (b - c) / 2 * sin (w * (p - q)) + waves_in_the_sum w a b c d (p + q).
Proof.
  unfold leaked, waves_in_the_sum.
  rewrite (Rmult_minus_distr_l w p q), (Rmult_plus_distr_l w p q), cos_minus, sin_minus, cos_plus, sin_plus.
  field.
Qed.
Lemma on_the_circle x y : x * x + y * y = 1 -> exists t, cos t = x /\ sin t = y.
Proof.
  intro E. assert (B : -1 <= x <= 1) by (split; nra).
  destruct (Rle_dec 0 y) as [P | N].
  - exists (acos x). rewrite cos_acos, sin_acos by assumption. split; [reflexivity|].
    replace (1 - x²) with (y * y) by (unfold Rsqr; lra). now apply sqrt_square.
  - exists (- acos x). rewrite cos_neg, sin_neg, cos_acos, sin_acos by assumption. split; [reflexivity|].
    replace (1 - x²) with (- y * - y) by (unfold Rsqr; lra). rewrite sqrt_square by lra. ring.
Qed.
(* H is a number r times a rotation by t *)
Theorem no_waves_in_the_sum_exactly_for_turns (w a b c d : R) : w <> 0 ->
  (forall p q, waves_in_the_sum w a b c d (p + q) = 0) <->
  (exists r t, a = r * cos t /\ b = r * sin t /\ c = - (r * sin t) /\ d = r * cos t).
Proof.
  intro Hw. unfold waves_in_the_sum. split.
  - intro H. assert (A : d = a).
    { specialize (H 0 0). rewrite Rplus_0_r, Rmult_0_r, cos_0, sin_0 in H. lra. }
    assert (B : c = - b).
    { specialize (H (PI / 2 / w) 0). rewrite Rplus_0_r in H.
      replace (w * (PI / 2 / w)) with (PI / 2) in H by (field; assumption).
      rewrite cos_PI2, sin_PI2 in H. lra. }
    destruct (Req_dec (a * a + b * b) 0) as [Z | N].
    + exists 0, 0. assert (a = 0) by nra. assert (b = 0) by nra. subst. repeat split; ring.
    + set (r := sqrt (a * a + b * b)).
      assert (R0 : r * r = a * a + b * b) by (apply sqrt_sqrt; nra).
      assert (r <> 0) by (intro E; rewrite E in R0; lra).
      destruct (on_the_circle (a / r) (b / r)) as [t [C S]].
      { replace (a / r * (a / r) + b / r * (b / r)) with ((a * a + b * b) / (r * r)) by (field; assumption).
        rewrite R0. field. exact N. }
      exists r, t. rewrite C, S, A, B. repeat split; field; assumption.
  - intros [r [t [-> [-> [-> ->]]]]] p q. field.
Qed.

(* whole positions are enough, for a frequency between 0 and pi, as those of the encoding are *)
Theorem whole_positions_are_enough (w a b c d : R) : 0 < w < PI ->
  (forall p q : Z, waves_in_the_sum w a b c d (IZR p + IZR q) = 0) <->
  (forall p q, waves_in_the_sum w a b c d (p + q) = 0).
Proof.
  intros [W0 W1]. split; intros H p q; [|apply H].
  assert (A : d - a = 0).
  { specialize (H 0 0)%Z. unfold waves_in_the_sum in H. rewrite Rplus_0_r, Rmult_0_r, cos_0, sin_0 in H. lra. }
  assert (B : b + c = 0).
  { specialize (H 1 0)%Z. unfold waves_in_the_sum in H. rewrite Rplus_0_r, Rmult_1_r, A in H.
    assert (S : (b + c) * sin w = 0) by lra. apply Rmult_integral in S as [S | S]; [exact S|].
    generalize (sin_gt_0 w W0 W1). lra. }
  unfold waves_in_the_sum. rewrite A, B. field.
Qed.

(* ---- thm-rotary: each pair of a vector turned by omega_i p ---- *)
Definition rope (b : R) (h : nat) (p : R) (v : vector) : vector := fun j =>
  let a := omega b h (j / 2) * p in let i := (j / 2)%nat in
  if Nat.even j then cos a * v (2 * i)%nat - sin a * v (2 * i + 1)%nat
  else sin a * v (2 * i)%nat + cos a * v (2 * i + 1)%nat.
Lemma rope_even b h p v i : rope b h p v (2 * i)%nat =
  cos (omega b h i * p) * v (2 * i)%nat - sin (omega b h i * p) * v (2 * i + 1)%nat.
Proof. unfold rope. now rewrite even_2i, half_2i. Qed.
Lemma rope_odd b h p v i : rope b h p v (2 * i + 1)%nat =
  sin (omega b h i * p) * v (2 * i)%nat + cos (omega b h i * p) * v (2 * i + 1)%nat.
Proof. unfold rope. now rewrite odd_2i, half_2i1. Qed.
(* the real part of (x + j y) times the conjugate of (u + j v) times exp (j t) *)
Definition real_part (x y u v t : R) : R := (x * u + y * v) * cos t - (y * u - x * v) * sin t.
Theorem the_score_under_rope_is_relative (b : R) (h : nat) (q k : vector) (m n : R) :
  dot (2 * h) (rope b h m q) (rope b h n k) =
    sum h (fun i => real_part (q (2 * i)%nat) (q (2 * i + 1)%nat) (k (2 * i)%nat) (k (2 * i + 1)%nat)
                              (omega b h i * (m - n))).
Proof.
  unfold dot. rewrite sum_pairs. apply sum_ext. intros i _. rewrite !rope_even, !rope_odd. unfold real_part.
  rewrite (Rmult_minus_distr_l (omega b h i) m n), cos_minus, sin_minus. ring.
Qed.

Corollary only_the_difference_counts (b : R) (h : nat) (q k : vector) (m n m' n' : R) : m - n = m' - n' ->
  dot (2 * h) (rope b h m q) (rope b h n k) = dot (2 * h) (rope b h m' q) (rope b h n' k).
Proof. intro E. now rewrite !the_score_under_rope_is_relative, E. Qed.

(* ---- thm-far: each pair of the query q has the squared norm r ---- *)
Definition pairs_have_squared_norm (r : R) (h : nat) (q : vector) : Prop :=
  forall i, (i < h)%nat -> q (2 * i)%nat * q (2 * i)%nat + q (2 * i + 1)%nat * q (2 * i + 1)%nat = r.
Theorem far_need_not_mean_small (b : R) (h : nat) (q : vector) (r s m n : R) : pairs_have_squared_norm r h q ->
  dot (2 * h) (rope b h m q) (rope b h n (rope b h s q)) = r * K b h (m - n - s).
Proof.
  intro H. unfold K. rewrite <- sum_scale, the_score_under_rope_is_relative. apply sum_ext. intros i L.
  rewrite rope_even, rope_odd. unfold real_part.
  replace (omega b h i * (m - n - s)) with (omega b h i * (m - n) - omega b h i * s) by ring.
  rewrite cos_minus, <- (H i L). ring.
Qed.
(* where m - n = s the score is at least as large as where m' - n' is anything *)
Theorem its_maximum_is_there (b : R) (h : nat) (q : vector) (r s m n m' n' : R) :
  pairs_have_squared_norm r h q -> m - n = s ->
  dot (2 * h) (rope b h m' q) (rope b h n' (rope b h s q)) <= dot (2 * h) (rope b h m q) (rope b h n (rope b h s q)).
Proof.
  intros H E. rewrite !(far_need_not_mean_small b h q r s) by exact H.
  destruct h; [unfold K; rewrite !sum_0; lra|].
  replace (m - n - s) with 0 by lra. rewrite K_0. apply Rmult_le_compat_l; [|apply K_le].
  rewrite <- (H 0%nat) by lia. generalize (Rle_0_sqr (q (2 * 0)%nat)) (Rle_0_sqr (q (2 * 0 + 1)%nat)).
  unfold Rsqr. lra.
Qed.
(* among whole positions it is at no other difference, if the pairs are not all zero *)
Theorem it_is_nowhere_else (b : R) (h : nat) (q : vector) (r : R) (s m n : Z) :
  (0 < h)%nat -> 0 < r -> pairs_have_squared_norm r h q -> (m - n)%Z <> s ->
  dot (2 * h) (rope b h (IZR m) q) (rope b h (IZR n) (rope b h (IZR s) q)) < r * K b h 0.
Proof.
  intros Hh Hr H N. rewrite (far_need_not_mean_small _ _ _ r) by exact H. rewrite K_0, <- !minus_IZR.
  apply Rmult_lt_compat_l; [exact Hr|]. apply K_whole_lt; [exact Hh | lia].
Qed.

(* ---- thm-interpolation ---- *)
Theorem interpolation_keeps_the_encodings (w : nat -> R) (f p : R) (j : nat) : f <> 0 ->
  encoding (fun i => w i / f) (f * p) j = encoding w p j.
Proof.
  intro F. unfold encoding.
  replace (w (j / 2)%nat / f * (f * p)) with (w (j / 2)%nat * p) by (field; exact F). reflexivity.
Qed.
(* the trained angles of a pair are those from 0 to w (L - 1) *)
Theorem no_angle_is_outside_but_the_last (w : R) (f L n : nat) : 0 < w -> (1 <= f)%nat -> (1 <= L)%nat -> (n < f * L)%nat ->
  w / INR f * INR n <= w * (INR L - 1) <-> ~ (f * L - (f - 1) <= n)%nat.
Proof.
  intros Hw Hf HL Hn. assert (F : 0 < INR f) by (apply lt_0_INR; lia).
  assert (E : INR f * (INR L - 1) = INR (f * (L - 1))) by (rewrite mult_INR, minus_INR by lia; reflexivity).
  assert (B : (f * L - (f - 1) = f * (L - 1) + 1)%nat) by nia.
  rewrite B. split.
  - intros A G. assert (INR n <= INR (f * (L - 1))).
    { rewrite <- E. apply Rmult_le_reg_l with (w / INR f); [now apply Rdiv_lt_0_compat|].
      replace (w / INR f * (INR f * (INR L - 1))) with (w * (INR L - 1)) by (field; lra). exact A. }
    apply INR_le in H. lia.
  - intro G. assert (INR n <= INR (f * (L - 1))) by (apply le_INR; lia). rewrite <- E in H.
    apply (Rmult_le_compat_l (w / INR f)) in H; [| apply Rlt_le; now apply Rdiv_lt_0_compat].
    replace (w / INR f * (INR f * (INR L - 1))) with (w * (INR L - 1)) in H by (field; lra). exact H.
Qed.
Theorem no_base_interpolates (b b' : R) (h : nat) (f : R) : 1 < f -> omega b h 0 / f <> omega b' h 0.
Proof.
  intros Hf. rewrite !omega_0. intro E. assert (1 / f * f = 1) by (field; lra). rewrite E in H. lra.
Qed.
