(* Chapter 5: where the wavelengths end, and why a count of them that knows no scale is a logarithm. *)
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

(* ---- thm-scale-free ---- *)
(* between y and z, ends included, what N grows by depends on the ratio alone; inside, N has a derivative *)
Definition differentiable_between (y z : R) (N : R -> R) : Prop :=
  forall x, y < x < z -> exists l, derivable_pt_lim N x l.
Definition grows_by_the_ratio_alone (y z : R) (N : R -> R) : Prop :=
  exists g : R -> R, forall s x, y <= x <= z -> y <= s * x <= z -> N (s * x) - N x = g s.

Lemma constant_nearby f x a b : a < x < b -> (forall t, a < t < b -> f t = f x) -> derivable_pt_lim f x 0.
Proof.
  intros I H e He. assert (P : 0 < Rmin (x - a) (b - x)) by (apply Rmin_glb_lt; lra).
  exists (mkposreal _ P). simpl. intros k K L. rewrite (H (x + k)).
  - replace ((f x - f x) / k - 0) with 0 by (field; exact K). now rewrite Rabs_R0.
  - apply Rabs_def2 in L. generalize (Rmin_l (x - a) (b - x)) (Rmin_r (x - a) (b - x)). lra.
Qed.
(* s N'(s x) = N'(x) *)
Lemma derivatives_at_a_ratio y z N s x k l : 0 < y -> 0 < s -> grows_by_the_ratio_alone y z N ->
  y < x < z -> y < s * x < z -> derivable_pt_lim N x k -> derivable_pt_lim N (s * x) l -> s * l = k.
Proof.
  intros Y S [g G] X SX K L.
  assert (D : derivable_pt_lim (fun t => N (s * t) - N t) x (l * s - k)).
  { apply (derivable_pt_lim_minus (fun t => N (s * t)) N); [|exact K].
    apply (derivable_pt_lim_comp (fun t => s * t) N); [|exact L].
    generalize (derivable_pt_lim_scal id s x 1 (derivable_pt_lim_id x)). now rewrite Rmult_1_r. }
  assert (Z0 : derivable_pt_lim (fun t => N (s * t) - N t) x 0).
  { assert (A : Rmax y (y / s) < x).
    { apply Rmax_lub_lt; [lra|]. apply Rmult_lt_reg_r with s; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
    assert (B : x < Rmin z (z / s)).
    { apply Rmin_glb_lt; [lra|]. apply Rmult_lt_reg_r with s; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
    apply (constant_nearby _ _ _ _ (conj A B)). intros t [T1 T2].
    assert (T3 : y / s < t) by (apply Rle_lt_trans with (2 := T1), Rmax_r).
    assert (T4 : t < z / s) by (apply Rlt_le_trans with (1 := T2), Rmin_r).
    assert (y < t) by (apply Rle_lt_trans with (2 := T1), Rmax_l).
    assert (t < z) by (apply Rlt_le_trans with (1 := T2), Rmin_l).
    apply (Rmult_lt_compat_r s) in T3; [|lra]. apply (Rmult_lt_compat_r s) in T4; [|lra].
    unfold Rdiv in T3, T4. rewrite Rmult_assoc, Rinv_l in T3, T4 by lra. rewrite !G; lra. }
  generalize (uniqueness_limite _ _ _ _ D Z0). lra.
Qed.
Lemma same_derivative_inside y z f g f' : (forall x, y < x < z -> derivable_pt_lim f x (f' x) /\ derivable_pt_lim g x (f' x)) ->
  forall u v, y < u < z -> y < v < z -> f u - g u = f v - g v.
Proof.
  intro H. assert (L : forall u v, y < u < z -> y < v < z -> u < v -> f u - g u = f v - g v).
  { intros u v U V B. destruct (MVT_cor2 (fun x => f x - g x) (fun x => f' x - f' x) u v B) as [c [E _]]; [|lra].
    intros c C. destruct (H c ltac:(lra)) as [F G]. exact (derivable_pt_lim_minus _ _ _ _ _ F G). }
  intros u v U V. destruct (Rtotal_order u v) as [B | [-> | B]]; [now apply L | reflexivity | symmetry; apply L; auto].
Qed.
(* each point, the ends too, is a ratio away from one inside, and from the middle the same ratio stays inside *)
Lemma a_small_step y z x : 0 < y < z -> y <= x <= z ->
  exists s, 0 < s /\ y < s * x < z /\ y < s * ((y + z) / 2) < z.
Proof.
  intros [Y B] [L U]. set (m := (y + z) / 2). assert (M : m = (y + z) / 2) by reflexivity.
  assert (I : z * / z = 1) by (apply Rinv_r; lra). assert (J : 0 < / z) by (apply Rinv_0_lt_compat; lra).
  set (d := (z - m) / (2 * z)). assert (D : d * (2 * z) = z - m) by (unfold d; field; lra).
  assert (P : 0 < d) by (unfold d; apply Rdiv_lt_0_compat; lra). 
  destruct (Rle_dec x m) as [C | C]; [exists (1 + d) | exists (1 - d)]; repeat split; nra.
Qed.
Theorem only_the_logarithm_is_left (y z : R) (N : R -> R) : 0 < y < z ->
  differentiable_between y z N -> grows_by_the_ratio_alone y z N ->
  exists C c, forall x, y <= x <= z -> N x = C + c * ln x.
Proof.
  intros B D G. set (m := (y + z) / 2). assert (M : y < m < z) by (unfold m; lra).
  destruct (D m M) as [k K]. set (c := m * k).
  assert (E : forall x, y < x < z -> derivable_pt_lim N x (c / x) /\ derivable_pt_lim (fun t => c * ln t) x (c / x)).
  { intros x X. split; [|apply (derivable_pt_lim_scal ln), derivable_pt_lim_ln; lra].
    destruct (D x X) as [l L]. replace (c / x) with l; [exact L|].
    assert (F : x / m * l = k).
    { apply (derivatives_at_a_ratio y z N (x / m) m); try assumption; try lra; [apply Rdiv_lt_0_compat; lra | |];
      replace (x / m * m) with x by (field; lra); assumption. }
    unfold c. rewrite <- F. field. lra. }
  generalize (same_derivative_inside y z N _ _ E). intro I. clear E.
  exists (N m - c * ln m), c. intros x X. destruct (a_small_step y z x B X) as [s [S [SX SM]]]. fold m in SM.
  destruct G as [g G]. generalize (G s x X ltac:(lra)) (G s m ltac:(lra) ltac:(lra)) (I (s * x) m SX M) (I (s * m) m SM M).
  rewrite !ln_mult by lra. lra.
Qed.
Theorem it_has_i_wavelengths_below_each (b : R) (h i : nat) (N : R -> R) : 1 < b -> (i <= h)%nat -> (0 < h)%nat ->
  differentiable_between (2 * PI) (2 * PI * b) N -> grows_by_the_ratio_alone (2 * PI) (2 * PI * b) N ->
  N (2 * PI) = 0 -> N (2 * PI * b) = INR h -> N (lambda b h i) = INR i.
Proof.
  intros B I H D G N0 N1. generalize PI_RGT_0. intro P.
  assert (L : 0 < ln b) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (P0 : 0 < INR h) by (apply lt_0_INR; lia).
  destruct (only_the_logarithm_is_left (2 * PI) (2 * PI * b) N) as [C [c E]]; try assumption; [nra|].
  rewrite E in N0 by nra. rewrite E in N1 by nra. rewrite ln_mult in N1 by lra.
  assert (W : lambda b h i = 2 * PI * exp (INR i / INR h * ln b)).
  { unfold lambda, omega, Rpower.
    replace (- (2 * INR i / INR (2 * h)) * ln b) with (- (INR i / INR h * ln b))
      by (rewrite mult_INR; simpl (INR 2); field; lra).
    rewrite exp_Ropp. field. apply Rgt_not_eq, exp_pos. }
  assert (F : 0 <= INR i / INR h <= 1).
  { split; [apply Rmult_le_pos; [apply pos_INR | apply Rlt_le, Rinv_0_lt_compat, P0]|].
    apply Rmult_le_reg_r with (INR h); [exact P0|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra.
    now apply le_INR. }
  set (t := INR i / INR h * ln b) in *. assert (T : 0 <= t <= ln b) by (unfold t; split; nra).
  assert (X : 1 <= exp t <= b).
  { rewrite <- exp_0 at 1. rewrite <- (exp_ln b) by lra. split.
    - destruct (proj1 T) as [Q | <-]; [apply Rlt_le, exp_increasing, Q | lra].
    - destruct (proj2 T) as [Q | ->]; [apply Rlt_le, exp_increasing, Q | lra]. }
  rewrite W, E by nra. rewrite ln_mult, ln_exp by (try apply exp_pos; lra).
  replace (INR i) with (INR h * (INR i / INR h)) by (field; lra). 
  assert (Q : c * ln b = INR h) by lra. replace (C + c * (ln (2 * PI) + t)) with (c * ln b * (INR i / INR h) + (C + c * ln (2 * PI))) by (unfold t; ring).
  rewrite Q, N0. ring.
Qed.
